template "liquidated-damages" {
  title       = "Delay costs a fixed sum a period, up to a cap"
  description = "Who delivers late owes damages for each period of delay. At the cap the other party may terminate."
  parameter "days" {
    type        = number
    default     = 2
    description = "ticks within which delivery is due"
  }
  parameter "cap" {
    type        = number
    default     = 3
    description = "how many periods of damages there are at most"
  }

  party "supplier" {
    state "working" { title = "has not delivered" }
    state "delivered" { title = "has delivered" }
    state "dismissed" { title = "the order was terminated" }
    counter "damages" {
      title = "periods of damages"
      to    = param.cap
    }
    transition "deliver" {
      from = working
      to   = delivered
    }
    transition "be-late" {
      read    = [working]
      require = damages < param.cap
      set     = { damages = damages + 1 }
    }
    transition "be-dismissed" {
      from    = working
      to      = dismissed
      require = damages == param.cap
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
  requirement "no-damages-in-time" {
    title   = "Damages are due only for delay"
    no      = "supplier.damages >= 1"
    without = "deliver.breached"
  }
  requirement "no-exit-below-the-cap" {
    title = "The customer can terminate only at the cap"
    ctl   = "AG (customer.free -> supplier.damages == ${param.cap})"
  }
}
