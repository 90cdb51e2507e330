template "warranty-and-cure" {
  title       = "Defects are cured, or the price comes back"
  description = "For some time after delivery the buyer may claim a defect. The seller cures it in time, or refunds the price."
  parameter "warranty" {
    type        = duration
    default     = 6
    description = "how long after delivery a defect can be claimed"
  }
  parameter "cure" {
    type        = duration
    default     = 2
    description = "how long there is to cure a defect"
  }

  party "seller" {
    state "selling" { title = "has the goods" }
    state "answerable" { title = "has delivered" }
    state "curing" { title = "has a defect to cure" }
    state "refunded" { title = "has refunded the price" }
    transition "deliver" {
      from = selling
      to   = answerable
    }
    transition "be-notified" {
      from = answerable
      to   = curing
    }
    transition "cure" {
      from = curing
      to   = answerable
    }
    transition "refund" {
      from = curing
      to   = refunded
    }
  }
  party "buyer" {
    state "waiting" { title = "waits for the goods" }
    state "content" { title = "has goods without a known defect" }
    state "complaining" { title = "has claimed a defect" }
    state "compensated" { title = "has the price back" }
    transition "receive" {
      from = waiting
      to   = content
    }
    transition "claim" {
      from = content
      to   = complaining
    }
    transition "be-cured" {
      from = complaining
      to   = content
    }
    transition "be-refunded" {
      from = complaining
      to   = compensated
    }
  }
  event "delivery" {
    title = "the goods are delivered"
    sync = {
      seller = deliver
      buyer  = receive
    }
  }
  event "claim" {
    title  = "the buyer claims a defect"
    within = { delivery = param.warranty }
    sync = {
      seller = be-notified
      buyer  = claim
    }
  }
  event "cure" {
    title = "the defect is cured"
    sync = {
      seller = cure
      buyer  = be-cured
    }
  }
  event "refund" {
    title      = "the price is refunded"
    only_while = refund.owed
    sync = {
      seller = refund
      buyer  = be-refunded
    }
  }
  obligation "cure" {
    title        = "cure the defect"
    bearer       = seller
    counterparty = buyer
    when         = claim
    fulfil       = cure
    within       = param.cure
    reparation   = refund
  }
  obligation "refund" {
    title        = "refund the price"
    bearer       = seller
    counterparty = buyer
    fulfil       = [refund, cure]
  }
  accept "norm-never-again" {
    on     = obligation.cure
    reason = "Once a defect was not cured in time the refund is owed"
  }
  scenario "not-cured" {
    title  = "Who does not cure a defect in time owes the price"
    events = [delivery, claim, param.cure]
    ends   = "refund.owed"
  }
  scenario "claimed-too-late" {
    title  = "After the time of the warranty nothing can be claimed"
    events = [delivery, param.warranty, claim]
    expect = impossible
  }
  requirement "no-claim-before-delivery" {
    title   = "A defect is claimed only after delivery"
    no      = "buyer.complaining"
    without = "happened(delivery)"
  }
  requirement "claims-are-answered" {
    title = "A claimed defect can always still be cured or paid for"
    ctl   = "AG EF (buyer.content || buyer.compensated)"
  }
}
