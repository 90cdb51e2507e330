# A year of gas supply on take-or-pay terms: the buyer nominates a quantity and takes it, or pays for what it leaves and may
# make it up later. One tick is a month.
contract "gas-supply" {
  title       = "Gas supply, take or pay"
  description = "Nomination, delivery, shortfall, make-up, force majeure, invoice and dispute of one contract year."
  final       = "contract.ended || supplier.settled"
}

event "nomination" {
  title  = "the buyer nominates a quantity"
  clause = "3.1"
  sync = {
    buyer    = nominate
    supplier = accept-nomination
  }
}

event "delivery" {
  title  = "the gas is delivered and taken"
  clause = "3.2"
  sync = {
    buyer    = take
    supplier = deliver
  }
}

event "shortfall" {
  title  = "the buyer takes less than it must"
  clause = "4.1"
  sync = {
    buyer    = leave
    supplier = keep
  }
}

event "make-up" {
  title  = "the buyer takes gas it has paid for before"
  clause = "4.3"
  sync = {
    buyer    = make-up
    supplier = make-up
  }
  within = { payment = 3 }
}

event "force-majeure" {
  title      = "the supplier declares force majeure"
  clause     = "7.1"
  only_while = declare-force-majeure.held
  sync = {
    supplier = stop
  }
}

event "recovery" {
  title      = "the force majeure is over"
  clause     = "7.2"
  not_before = { force-majeure = 1 }
  sync = {
    supplier = restart
  }
}

event "invoice" {
  title  = "the supplier invoices what was taken or left"
  clause = "5.1"
  sync = {
    buyer    = be-billed
    supplier = bill
  }
}

event "payment" {
  title      = "the buyer pays the invoice"
  clause     = "5.2"
  only_while = contract.in_force
  sync = {
    buyer    = pay
    supplier = be-paid
  }
}

event "dispute" {
  title      = "the buyer disputes the invoice"
  clause     = "6.1"
  only_while = contest.held
  sync = {
    buyer = dispute
  }
}

event "settlement" {
  title  = "the dispute is settled"
  clause = "6.2"
  sync = {
    buyer    = settle
    supplier = settle
  }
}
