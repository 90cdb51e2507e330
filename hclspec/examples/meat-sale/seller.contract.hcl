party "seller" {
  title = "Seller"

  state "idle" { title = "without an order" }
  state "preparing" { title = "preparing the delivery" }
  state "suspended" { title = "delivery suspended" }
  state "delivered" { title = "meat delivered" }
  state "out" { title = "out of the contract" }

  flag "PAID" { title = "price received" }

  transition "take-order" {
    from = idle
    to   = preparing
  }

  transition "deliver" {
    from = preparing
    to   = delivered
  }

  transition "take-payment" {
    set = { PAID = true }
  }

  transition "suspend" {
    from = preparing
    to   = suspended
    when = { PAID = false }
  }

  transition "resume" {
    from = suspended
    to   = preparing
    when = { PAID = true }
  }

  transition "be-left" {
    from = suspended
    to   = out
  }
}
