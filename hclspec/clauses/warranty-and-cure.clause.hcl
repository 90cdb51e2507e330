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

  party "seller" {}
  party "buyer" {
    state "waiting" { title = "waits for the goods" }
    state "content" {
      title = "has goods without a known defect"
      since = [delivery, cure]
    }
    state "complaining" {
      title = "has claimed a defect"
      since = claim
    }
    state "compensated" {
      title = "has the price back"
      since = refund
    }
  }
  event "delivery" {
    title = "the goods are delivered"
    by    = seller
  }
  event "claim" {
    title      = "the buyer claims a defect"
    by         = buyer
    repeats    = true
    within     = { delivery = param.warranty }
    only_while = buyer.content
  }
  obligation "cure" {
    title        = "cure the defect"
    bearer       = seller
    counterparty = buyer
    when         = claim
    within       = param.cure
    reparation   = refund
  }
  obligation "refund" {
    title        = "refund the price"
    bearer       = seller
    counterparty = buyer
  }
  scenario "not-cured" {
    title  = "Who does not cure a defect in time owes the price"
    events = [delivery, claim, param.cure]
    ends   = "refund.owed"
  }
  scenario "too-late-to-cure" {
    title  = "Who did not cure a defect in time can't put off the refund by curing it"
    events = [delivery, claim, param.cure, cure]
    expect = impossible
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
