# The Accord Project's supply agreement (github.com/accordproject/cicero-template-library, src/supplyagreement, Apache-2.0), in our own words, with the values of
# its sample, for one Purchase Order. Its tests are the scenarios; states that they start from are reached. Their code owes the price when the goods are
# delivered, the prose (7.2) when they are accepted, as here. 90 days are 13 weeks. Left out: quantities ordered, prices (6), and 9, 13 and 14.
contract "supply-agreement" {
  title    = "Supply agreement"
  ends     = end-of-term
  calendar = { week = "5 business days" }
}

variable "days" {
  type        = number
  default     = 15
  description = "business days from the acceptance of a Purchase Order to its Delivery Date"

  validation {
    condition     = var.days > 10
    error_message = "The Delivery Date is more than 10 business days away, or nothing could be cancelled (2.3)."
  }
}

party "supplier" { title = "DAN" }

party "purchaser" {
  title = "PETER"

  counter "committed" {
    title = "units committed to, in scores"
    to    = 51
  }

  transition "forecast" {
    require = committed == 0
    set     = { committed = ceil(0.85 * 60) }
  }
}

net "order" {
  title = "the Purchase Order"
  state "none" { title = "not submitted" }

  state "submitted" {
    title = "submitted"
    since = purchase-order
  }

  state "modified" {
    title = "modified by DAN"
    since = proposal
  }

  state "accepted" {
    title = "accepted"
    since = [acceptance, deemed-acceptance, modification-accepted]
  }

  state "delivered" {
    title = "delivered"
    since = delivery
  }

  state "over" {
    title = "over"
    since = [rejection, modification-rejected, cancellation, goods-rejected, payment]
  }
}

event "forecast" {
  title  = "PETER sends a Supply Forecast of 1,200 umbrellas"
  clause = "3"
  sync   = { purchaser = forecast }
}

event "purchase-order" {
  title      = "PETER submits a Purchase Order"
  clause     = "2.1"
  by         = purchaser
  only_while = buy.owed
}

event "acceptance" {
  title      = "DAN accepts the order"
  clause     = "2.2(a)"
  by         = supplier
  only_while = order.submitted
}

event "rejection" {
  title      = "DAN rejects the order"
  clause     = "2.2(a)"
  by         = supplier
  only_while = order.submitted
}

event "proposal" {
  title      = "DAN proposes a modified order"
  clause     = "2.2(c)"
  by         = supplier
  only_while = order.submitted
}

event "deemed-acceptance" {
  title      = "PETER deems the order accepted"
  clause     = "2.2(b)"
  by         = purchaser
  only_while = [order.submitted, respond.breached]
}

event "modification-accepted" {
  title      = "PETER accepts the modified order"
  clause     = "2.2(c)"
  by         = purchaser
  only_while = order.modified
}

event "modification-rejected" {
  title      = "PETER rejects the modified order"
  clause     = "2.2(c)"
  by         = purchaser
  only_while = order.modified
}

event "cancellation" {
  title      = "PETER cancels the order"
  clause     = "2.3"
  by         = purchaser
  only_while = order.accepted
  within     = { deliver.owed = "${var.days - 9} business days" }
}

event "delivery" {
  title      = "DAN delivers the umbrellas"
  clause     = "4"
  by         = supplier
  only_while = order.accepted
}

event "goods-accepted" {
  title      = "PETER accepts the umbrellas"
  clause     = "5.1"
  by         = purchaser
  only_while = inspect.owed
}

event "goods-rejected" {
  title      = "PETER rejects the umbrellas"
  clause     = "5.2"
  by         = purchaser
  only_while = inspect.owed
}

event "payment" {
  title      = "PETER pays the Purchase Price"
  clause     = "7"
  by         = purchaser
  only_while = any(pay.owed, pay.breached)
}

event "warranty-claim" {
  title  = "PETER gives notice of a defect"
  clause = "10.3"
  by     = purchaser
  within = { delivery = "13 weeks" }
}

event "disclosure" {
  title  = "PETER tells others what is confidential"
  clause = "11.3"
  by     = purchaser
}

event "end-of-term" {
  title  = "the Term ends, as PETER does not renew it"
  clause = "8"
  by     = purchaser
}

obligation "buy" {
  title        = "order at least 85 % of what was forecast"
  clause       = "3"
  bearer       = purchaser
  counterparty = supplier
  when         = forecast
  fulfil       = purchase-order
  within       = "13 weeks"
}

obligation "respond" {
  title        = "accept, reject or modify the order"
  clause       = "2.2(a)"
  bearer       = supplier
  counterparty = purchaser
  when         = purchase-order
  fulfil       = [acceptance, rejection, proposal]
  within       = "2 business days"
  until        = deemed-acceptance
}

obligation "deliver" {
  title        = "deliver the umbrellas and title to them"
  clause       = "4"
  bearer       = supplier
  counterparty = purchaser
  when         = [acceptance, deemed-acceptance, modification-accepted]
  fulfil       = delivery
  within       = "${var.days + 2} business days"
  until        = cancellation
}

obligation "inspect" {
  title        = "accept or reject the umbrellas"
  clause       = "5.2, 12.2(a)"
  bearer       = purchaser
  counterparty = supplier
  when         = delivery
  fulfil       = [goods-accepted, goods-rejected]
  within       = "3 business days"
  survives     = true
}

obligation "pay" {
  title        = "pay the Purchase Price"
  clause       = "7, 12.2(a)"
  bearer       = purchaser
  counterparty = supplier
  when         = goods-accepted
  fulfil       = payment
  within       = "1 business day"
  survives     = true
}

obligation "replace" {
  title        = "replace defective umbrellas"
  clause       = "10.2"
  bearer       = supplier
  counterparty = purchaser
  when         = warranty-claim
}

prohibition "secrecy" {
  title        = "keep confidential information to itself"
  clause       = "11"
  bearer       = purchaser
  counterparty = supplier
  of           = disclosure
}

scenario "forecast" {
  title  = "A forecast of 1,200 commits PETER to 1,020 (published test 2)"
  clause = "3"
  events = [forecast]
  ends   = "purchaser.committed == 51 && buy.owed"
}

scenario "order" {
  title  = "Who has sent a forecast orders, and then it is for DAN to deliver (published test 3)"
  clause = "2, 4"
  events = [forecast, purchase-order, acceptance]
  ends   = "buy.fulfilled && deliver.owed"
}

scenario "delivery" {
  title  = "What is delivered and accepted is to be paid (published test 4, in its prose)"
  clause = "4, 7.2"
  events = [forecast, purchase-order, acceptance, delivery, goods-accepted]
  ends   = "deliver.fulfilled && pay.owed"
}

scenario "order-without-forecast" {
  title  = "Without a forecast there is nothing to order (as the published code has it)"
  events = [purchase-order]
  expect = impossible
}

scenario "silence" {
  title  = "DAN does not answer within 2 business days: PETER may take the order as accepted"
  clause = "2.2(b)"
  events = [forecast, purchase-order, "2 business days", deemed-acceptance]
  ends   = "deliver.owed"
}

scenario "cancelled-in-time" {
  title  = "PETER cancels 10 business days before the Delivery Date"
  clause = "2.3"
  events = [forecast, purchase-order, acceptance, "${var.days - 10} business days", cancellation]
  ends   = "deliver.lifted"
}

scenario "cancelled-late" {
  title  = "Nine business days before the Delivery Date it is too late to cancel"
  clause = "2.3"
  events = [forecast, purchase-order, acceptance, "${var.days - 9} business days", cancellation]
  expect = impossible
}

scenario "nothing-new-after-the-end" {
  title  = "After the end of the Term DAN does not deliver any more"
  clause = "12.1"
  events = [forecast, purchase-order, acceptance, end-of-term, delivery]
  expect = impossible
}

requirement "price-for-accepted-goods" {
  title   = "PETER owes the price only of what it has accepted"
  clause  = "7.2"
  no      = "pay.owed"
  without = "happened(goods-accepted)"
}

requirement "paid-after-the-end" {
  title  = "What was delivered is still decided on and paid after the end"
  clause = "12.2(a)"
  ctl    = "AG (inspect.owed || pay.owed -> EF (contract.ended && order.over))"
}

requirement "delivered-for-something" {
  title    = "Who keeps the agreement pays for what was delivered, or rejects it"
  clause   = "5, 7"
  over     = ideal
  whenever = "order.delivered"
  follows  = "order.over"
}

requirement "bound-only-in-the-term" {
  title  = "After the end nothing is owed but what is to be said of goods delivered, and their price"
  clause = "12.1"
  ctl    = "AG (contract.ended -> !buy.owed && !respond.owed && !deliver.owed && !replace.owed)"
}

accept "breach-without-consequence" { reason = "Damages are for the law to give (13)" }
