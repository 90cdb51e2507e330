# The Accord Project's late delivery and penalty clause (github.com/accordproject/cicero-template-library, src/latedeliveryandpenalty, Apache-2.0), in our own
# words, with the values of its sample. Its tests are the scenarios. A day of delay is an event of its own, since counters count events. The penalty is in
# quarters of a percent of the value of the goods: 10.5 % for every 2 days are 21 a day, as its code has it, for each day and not only for pairs of days.
contract "late-delivery" { title = "Late delivery and penalty" }

party "seller" {
  title = "Dan"
  state "due" { title = "has to deliver" }

  state "hindered" {
    title = "kept from delivering by force majeure"
    since = force-majeure
  }

  state "delivered" {
    title = "has delivered"
    since = delivery
  }

  counter "delay" {
    title = "days of delay"
    to    = 17
  }

  counter "penalty" {
    title = "penalty, in quarters of a percent"
    to    = 220
  }

  transition "day" {
    read    = [due]
    require = delay < 17
    set     = { delay = delay + 1, penalty = min(220, 21 * (delay + 1)) }
  }
}

party "buyer" { title = "Steve" }

event "day" {
  title      = "a day passes without delivery"
  sync       = { seller = day }
  only_while = contract.in_force
}

event "force-majeure" {
  title      = "force majeure keeps the seller from delivering"
  by         = seller
  only_while = [seller.due, contract.in_force]
}

event "delivery" {
  title      = "the seller delivers"
  by         = [seller, buyer]
  only_while = [!seller.delivered, contract.in_force]
}

event "termination" {
  title      = "the buyer terminates the contract"
  by         = buyer
  only_while = any(terminate-late.held, terminate-hindered.held)
}

obligation "deliver" {
  title        = "deliver in time"
  bearer       = seller
  counterparty = buyer
  fulfil       = delivery
  breach       = day
  until        = force-majeure
}

obligation "pay-penalty" {
  title        = "pay the penalty for the delay"
  bearer       = seller
  counterparty = buyer
  when         = delivery
  require      = seller.due && seller.delay > 0
  survives     = true
}

power "terminate-late" {
  title         = "terminate after more than 15 days of delay"
  bearer        = buyer
  counterparty  = seller
  exercise      = termination
  when          = day
  require       = seller.delay >= 15
  until         = delivery
  ends_contract = true
}

power "terminate-hindered" {
  title         = "terminate for force majeure"
  bearer        = buyer
  counterparty  = seller
  exercise      = termination
  when          = force-majeure
  until         = delivery
  ends_contract = true
}

scenario "in-time" {
  title  = "Who delivers in time pays no penalty (published test 1)"
  events = [delivery, pay-penalty]
  expect = impossible
}

scenario "two-days" {
  title  = "Two days late: 10.5 % (published test 4)"
  events = [day, day, delivery]
  ends   = "seller.penalty == 42 && pay-penalty.owed"
}

scenario "five-days" {
  title  = "Five days late: 26.25 % (published test 2)"
  events = [day, day, day, day, day, delivery]
  ends   = "seller.penalty == 105 && pay-penalty.owed"
}

scenario "five-days-and-out" {
  title  = "Five days late: the buyer may not terminate (published test 2)"
  events = [day, day, day, day, day, termination]
  expect = impossible
}

scenario "fifteen-days-and-out" {
  title  = "Fifteen days are not more than 15 days"
  events = [day, day, day, day, day, day, day, day, day, day, day, day, day, day, day, termination]
  expect = impossible
}

scenario "sixteen-days-and-out" {
  title  = "Sixteen days late: 55 %, and the buyer may terminate (published test 3)"
  events = [day, day, day, day, day, day, day, day, day, day, day, day, day, day, day, day, termination]
  ends   = "seller.penalty == 220"
}

scenario "force-majeure-and-out" {
  title  = "In force majeure the buyer may terminate at once (as the published code has it)"
  events = [force-majeure, termination]
  ends   = ended
}

requirement "no-penalty-in-force-majeure" {
  title = "Who is kept from delivering by force majeure owes no penalty"
  never = "pay-penalty.owed"
  after = "happened(force-majeure)"
}

requirement "cap" {
  title  = "The penalty is never more than 55 %"
  always = "seller.penalty <= 220"
}

requirement "late-deliveries-are-penalised" {
  title = "Who delivers late without force majeure owes the penalty, or has paid it"
  ctl   = "AG (seller.delivered && deliver.breached && !happened(force-majeure) -> pay-penalty.owed || pay-penalty.fulfilled)"
}
