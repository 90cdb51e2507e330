template "liquidated-damages" {
  title       = "Delay costs a share of the price a period, up to a cap"
  description = "Who delivers late owes damages for each period of delay. Where the next period would go past the cap, the other party may terminate."
  parameter "days" {
    type        = duration
    default     = 2
    description = "how long there is to deliver"
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
    state "working" { title = "has not delivered" }
    state "delivered" { title = "has delivered" }
    state "dismissed" { title = "the order was terminated" }
    counter "damages" {
      title = "periods of damages"
      to    = floor(param.cap / param.rate)
    }
    transition "deliver" {
      from = working
      to   = delivered
    }
    transition "be-late" {
      read    = [working]
      require = param.rate * (damages + 1) <= param.cap
      set     = { damages = damages + 1 }
    }
    transition "be-dismissed" {
      from    = working
      to      = dismissed
      require = param.rate * (damages + 1) > param.cap
    }
  }
  party "customer" {
    state "waiting" { title = "waits for delivery" }
    state "served" { title = "has the goods" }
    state "free" { title = "has terminated" }
    transition "receive" {
      from = waiting
      to   = served
    }
    transition "count" { read = [waiting] }
    transition "terminate" {
      from = waiting
      to   = free
    }
  }
  event "delivery" {
    title = "the goods are delivered"
    sync = {
      supplier = deliver
      customer = receive
    }
  }
  event "period-of-delay" {
    title      = "a period of delay is counted"
    only_while = deliver.breached
    sync = {
      supplier = be-late
      customer = count
    }
  }
  event "termination" {
    title = "the customer terminates, since the cap is reached"
    sync = {
      supplier = be-dismissed
      customer = terminate
    }
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
    until        = termination
  }
  scenario "late" {
    title  = "What comes late costs damages"
    events = [param.days, period-of-delay, delivery]
    ends   = "supplier.damages == 1 && deliver.breached && deliver-late.fulfilled"
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
    ctl   = "AG (customer.free -> ${param.rate} * (supplier.damages + 1) > ${param.cap})"
  }
}
