template "force-majeure" {
  title       = "What nobody can help suspends performance"
  description = "While an event beyond control lasts the supplier is not in breach. If it lasts too long the customer may end the order."
  parameter "days" {
    type        = duration
    default     = 3
    description = "how long after the order it is to be performed, not counting the time of the event"
  }
  parameter "patience" {
    type        = duration
    default     = 4
    description = "how long the event lasts before the customer may end the order"
  }

  party "supplier" {
    state "free" { title = "has no order" }
    state "working" {
      title = "has an order"
      since = [order, recovery]
    }
    state "hindered" {
      title = "is hindered"
      since = hindrance
    }
    state "done" {
      title = "has performed"
      since = performance
    }
    state "released" {
      title = "is released"
      since = withdrawal
    }
  }
  party "customer" {}
  event "order" {
    title = "the order is placed"
    by    = customer
  }
  event "hindrance" {
    title      = "an event beyond control begins"
    by         = supplier
    repeats    = true
    only_while = supplier.working
  }
  event "recovery" {
    title      = "the event is over"
    by         = supplier
    repeats    = true
    only_while = supplier.hindered
  }
  event "performance" {
    title      = "the supplier performs"
    by         = supplier
    only_while = supplier.working
  }
  event "withdrawal" {
    title      = "the customer ends the order"
    by         = customer
    not_before = { hindrance = param.patience }
    only_while = supplier.hindered
  }
  obligation "perform" {
    title        = "perform"
    bearer       = supplier
    counterparty = customer
    when         = order
    fulfil       = performance
    until        = withdrawal
    within       = param.days
    suspended_by = hindrance
    resumes      = recovery
  }
  scenario "hindered" {
    title  = "What is hindered for as long as there was to perform is no breach"
    events = [order, hindrance, param.days, recovery, performance]
    ends   = fulfilled
  }
  scenario "not-before-it-lasts-too-long" {
    title  = "An event that has just begun is no reason to end the order"
    events = [order, hindrance, withdrawal]
    expect = impossible
  }
  scenario "too-long" {
    title  = "Who is hindered too long can be sent away, and owes nothing"
    events = [order, hindrance, param.patience, withdrawal]
    ends   = fulfilled
  }
  requirement "no-breach-while-hindered" {
    title = "A supplier that is hindered is not in breach for what is not done meanwhile"
    never = "supplier.hindered && perform.owed"
  }
  requirement "not-forgiven" {
    title = "What has been owed before the event is owed after it, or was broken before"
    ctl   = "AG (supplier.hindered -> perform.suspended || perform.breached)"
  }
  requirement "customer-has-a-way-out" {
    title = "Performance or an end stays possible, also while the supplier is hindered"
    ctl   = "AG EF (supplier.done || supplier.released)"
  }
}
