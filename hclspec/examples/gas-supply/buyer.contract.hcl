party "buyer" {
  title = "Buyer"

  state "planning" { title = "planning its year" }
  state "nominated" { title = "quantity nominated" }
  state "supplied" { title = "gas taken" }
  state "short" { title = "gas left untaken" }
  state "billed" { title = "invoice received" }
  state "disputing" { title = "invoice disputed" }
  state "paid" { title = "paid" }

  flag "CREDIT" { title = "paid for gas not taken" }

  transition "nominate" {
    from = planning
    to   = nominated
  }

  transition "take" {
    from = nominated
    to   = supplied
  }

  transition "leave" {
    from = nominated
    to   = short
    set  = { CREDIT = true }
  }

  transition "billed-for-taken" {
    from  = supplied
    to    = billed
    label = be-billed
  }

  transition "billed-for-left" {
    from  = short
    to    = billed
    label = be-billed
  }

  transition "pay" {
    from = billed
    to   = paid
  }

  transition "dispute" {
    from = billed
    to   = disputing
  }

  transition "settle" {
    from = disputing
    to   = billed
  }

  transition "make-up" {
    from = paid
    to   = paid
    set  = { CREDIT = false }
  }
}
