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
    state "working" { title = "has an order" }
    state "hindered" { title = "is hindered" }
    state "done" { title = "has performed" }
    state "released" { title = "is released" }
    transition "be-ordered" {
      from = free
      to   = working
    }
    transition "be-hindered" {
      from = working
      to   = hindered
    }
    transition "recover" {
      from = hindered
      to   = working
    }
    transition "perform" {
      from = working
      to   = done
    }
    transition "be-released" {
      from = hindered
      to   = released
    }
  }
  party "customer" {
    state "ready" { title = "has not ordered" }
    state "waiting" { title = "waits" }
    state "served" { title = "is served" }
    state "out" { title = "has ended the order" }
    transition "order" {
      from = ready
      to   = waiting
    }
    transition "be-served" {
      from = waiting
      to   = served
    }
    transition "leave" {
      from = waiting
      to   = out
    }
  }
  event "order" {
    title = "the order is placed"
    sync = {
      supplier = be-ordered
      customer = order
    }
  }
  event "hindrance" {
    title = "an event beyond control begins"
    sync  = { supplier = be-hindered }
  }
  event "recovery" {
    title = "the event is over"
    sync  = { supplier = recover }
  }
  event "performance" {
    title = "the supplier performs"
    sync = {
      supplier = perform
      customer = be-served
    }
  }
  event "withdrawal" {
    title      = "the customer ends the order"
    not_before = { hindrance = param.patience }
    sync = {
      supplier = be-released
      customer = leave
    }
  }
  obligation "perform" {
    title        = "perform"
    bearer       = supplier
    counterparty = customer
    when         = order
    fulfil       = performance
    until        = withdrawal
    within       = param.days
  }
  power "suspend" {
    title    = "suspend performance"
    bearer   = supplier
    when     = order
    exercise = hindrance
    suspends = perform
    resumes  = recovery
    until    = [performance, withdrawal]
  }
  scenario "hindered" {
    title  = "What is hindered for as long as there was to perform is no breach"
    events = [order, hindrance, param.days, recovery, performance]
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
    ctl   = "AG EF (customer.served || customer.out)"
  }
}
