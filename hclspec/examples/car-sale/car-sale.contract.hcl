# The sale of a used car: what happens. What is owed and what is promised is in terms.contract.hcl, and each party has a file
# of its own.
contract "car-sale" {
  title       = "Sale of a used car"
  description = "The seller delivers the car, the buyer pays for it, and the seller hands over the registration papers."
  final       = "contract.ended || papers.buyer"
}

event "order" {
  title  = "the buyer orders the car"
  clause = "1"
  sync = {
    buyer  = order
    seller = take-order
  }
}

event "delivery" {
  title      = "the seller delivers the car"
  clause     = "2"
  only_while = contract.in_force
  sync = {
    buyer  = receive-car
    seller = deliver
  }
}

event "payment" {
  title      = "the buyer pays the price"
  clause     = "3"
  only_while = contract.in_force
  sync = {
    buyer  = pay
    seller = be-paid
  }
}

event "transfer" {
  title      = "the seller hands over the registration papers"
  clause     = "4"
  only_while = hand-over.owed
  sync = {
    seller = hand-over
  }
}

event "cancellation" {
  title      = "the buyer cancels the sale"
  clause     = "5"
  only_while = cancel.held
  sync = {
    buyer = cancel
  }
}

event "repossession" {
  title      = "the seller takes the car back"
  clause     = "6"
  only_while = take-back.held
  sync = {
    buyer  = lose-car
    seller = take-back
  }
}

document "papers" {
  title  = "the registration papers"
  holder = seller
  moves = {
    transfer = { from = seller, to = buyer }
  }
}
