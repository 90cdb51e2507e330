party "buyer" {
  title = "Buyer"

  state "looking" { title = "looking for a car" }
  state "buying" { title = "buying the car" }
  state "out" { title = "has cancelled" }

  flag "has-car" { title = "has the car" }

  transition "order" {
    from = looking
    to   = buying
  }

  transition "receive-car" {
    from = buying
    to   = buying
    set  = { has-car = true }
  }

  transition "pay" {
    from = buying
    to   = buying
    when = { has-car = true }
  }

  transition "cancel" {
    from = buying
    to   = out
  }

  transition "lose-car" {
    set = { has-car = false }
  }
}
