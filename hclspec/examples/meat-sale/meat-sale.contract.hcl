# A sale of meat with delivery and payment obligations, late payment interest, suspension and termination, after the sample
# contract of S. Sharifi, A. Parvizimosaed, D. Amyot, L. Logrippo, J. Mylopoulos (2020), Symboleo: Towards a Specification
# Language for Legal Contracts. One tick is a week.
contract "meat-sale" {
  title       = "Sale of meat"
  description = "The seller delivers, the buyer pays; who pays late pays interest. While payment is late the seller may suspend delivery."
  final       = "contract.ended || deliver.fulfilled && pay.fulfilled || deliver.fulfilled && pay-late.fulfilled"
}

event "order" {
  title  = "the buyer orders the meat"
  clause = "1"
  sync = {
    seller = take-order
    buyer  = order
  }
}

event "delivery" {
  title  = "the seller delivers the meat"
  clause = "2"
  sync = {
    seller = deliver
    buyer  = receive
  }
}

event "payment" {
  title      = "the buyer pays the price"
  clause     = "3"
  only_while = pay.owed
  sync = {
    seller = take-payment
    buyer  = pay
  }
}

event "late-payment" {
  title      = "the buyer pays the price and interest"
  clause     = "4"
  only_while = pay-late.owed
  sync = {
    seller = take-payment
    buyer  = pay-with-interest
  }
}

event "suspension" {
  title      = "the seller suspends delivery"
  clause     = "5"
  only_while = suspend.held
  sync = {
    seller = suspend
  }
}

event "resumption" {
  title  = "the seller resumes delivery"
  clause = "5"
  sync = {
    seller = resume
  }
}

event "termination" {
  title      = "the buyer terminates the contract"
  clause     = "6"
  only_while = terminate.held
  sync = {
    seller = be-left
    buyer  = terminate
  }
}
