template "liquidated-damages" {
  title       = "Delay costs a share of the price a period, up to a cap"
  description = "Who delivers late owes damages for each period of delay. Where the next period would go past the cap, the other party may terminate."
  parameter "days" {
    type        = duration
    default     = 2
    description = "how long there is to deliver"
  }
  parameter "period" {
    type        = duration
    default     = 1
    description = "how long a period of delay is"
  }
  parameter "rate" {
    type        = number
    default     = 50
    description = "damages for a period, in hundredths of a per cent of the price"
  }
  parameter "cap" {
    type        = number
    default     = 150
    description = "all damages at most, in hundredths of a per cent of the price"
  }

  party "supplier" {
    counter "damages" {
      title   = "periods of damages"
      to      = floor(param.cap / param.rate)
      changes = { period-of-delay = damages + 1 }
    }
  }
  party "customer" {}
  event "delivery" {
    title      = "the goods are delivered"
    by         = supplier
    only_while = !terminate.exercised
  }
  event "period-of-delay" {
    title      = "another period of delay is over"
    after      = { any(deliver.breached, period-of-delay) = param.period }
    only_while = [deliver-late.owed, supplier.damages < floor(param.cap / param.rate)]
  }
  event "termination" {
    title      = "the customer terminates, since the cap is reached"
    by         = customer
    only_while = [terminate.held, supplier.damages == floor(param.cap / param.rate)]
  }
  obligation "deliver" {
    title        = "deliver"
    bearer       = supplier
    counterparty = customer
    fulfil       = delivery
    within       = param.days
    reparation   = deliver-late
  }
  obligation "deliver-late" {
    title        = "deliver late, and pay damages"
    bearer       = supplier
    counterparty = customer
    fulfil       = delivery
  }
  power "terminate" {
    title        = "terminate the order"
    bearer       = customer
    counterparty = supplier
    when         = deliver.breached
    exercise     = termination
    until        = delivery
    lifts        = deliver-late
  }
  scenario "late" {
    title  = "What comes a period late costs damages for it"
    events = [param.days, param.period, delivery]
    ends   = "supplier.damages == 1 && deliver.breached && deliver-late.fulfilled"
  }
  scenario "each-period-takes-its-time" {
    title  = "Two periods of delay are not over at once"
    events = [param.days, param.period, period-of-delay, period-of-delay]
    expect = impossible
  }
  requirement "no-damages-in-time" {
    title   = "Damages are due only for delay"
    no      = "supplier.damages >= 1"
    without = "deliver.breached"
  }
  requirement "damages-are-capped" {
    title = "Damages never go past the cap"
    ctl   = "AG (${param.rate} * supplier.damages <= ${param.cap})"
  }
  requirement "no-exit-below-the-cap" {
    title = "The customer can terminate only where the next period would go past the cap"
    ctl   = "AG (terminate.exercised -> ${param.rate} * (supplier.damages + 1) > ${param.cap})"
  }
}
