party "seller" {
  title = "Seller"

  state "selling" { title = "selling the car" }
  state "bound" { title = "car promised" }
  state "delivered" { title = "car delivered" }

  flag "paid" { title = "price received" }

  transition "take-order" {
    from = selling
    to   = bound
  }

  transition "deliver" {
    from = bound
    to   = delivered
  }

  transition "be-paid" {
    set = { paid = true }
  }

  transition "hand-over" {
    when = { paid = true }
  }

  transition "take-back" {
    from = delivered
    to   = selling
  }
}
