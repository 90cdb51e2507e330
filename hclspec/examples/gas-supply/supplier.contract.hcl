party "supplier" {
  title = "Supplier"

  state "idle" { title = "without a nomination" }
  state "ready" { title = "ready to deliver" }
  state "hindered" { title = "hindered by force majeure" }
  state "done" { title = "delivery over" }
  state "invoiced" { title = "invoice sent" }
  state "settled" { title = "paid" }

  transition "accept-nomination" {
    from = idle
    to   = ready
  }

  transition "deliver" {
    from = ready
    to   = done
  }

  transition "keep" {
    from = ready
    to   = done
  }

  transition "stop" {
    from = ready
    to   = hindered
  }

  transition "restart" {
    from = hindered
    to   = ready
  }

  transition "bill" {
    from = done
    to   = invoiced
  }

  transition "be-paid" {
    from = invoiced
    to   = settled
  }

  transition "settle" {
    from = invoiced
    to   = invoiced
  }

  transition "make-up" {
    from = settled
    to   = settled
  }
}
