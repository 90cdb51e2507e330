party "buyer" {
  title = "Buyer"

  state "new" { title = "has not ordered" }
  state "waiting" { title = "waiting for the meat" }
  state "served" { title = "has the meat" }
  state "gone" { title = "out of the contract" }

  flag "OWES" {
    title   = "money not yet paid"
    initial = true
  }

  transition "order" {
    from = new
    to   = waiting
  }

  transition "receive" {
    from = waiting
    to   = served
  }

  transition "pay-waiting" {
    from  = waiting
    to    = waiting
    set   = { OWES = false }
    label = pay
  }

  transition "pay-served" {
    from  = served
    to    = served
    set   = { OWES = false }
    label = pay
  }

  transition "late-waiting" {
    from  = waiting
    to    = waiting
    set   = { OWES = false }
    label = pay-with-interest
  }

  transition "late-served" {
    from  = served
    to    = served
    set   = { OWES = false }
    label = pay-with-interest
  }

  transition "terminate" {
    from = waiting
    to   = gone
  }
}
