contract "rest" {}

party "vendor" {}
party "client" {}
party "bank" {}

party "carrier" {
  flag "free" { initial = true }
  flag "paid" {}

  state "idle" {}
  state "away" {}

  counter "load" { to = 3 }

  transition "leave" {
    from    = idle
    to      = away
    require = load < 3
    set     = { load = load + 1 }
  }

  transition "return" {
    from = away
    to   = idle
  }
}

event "order" { by = client }
event "delivery" { by = vendor }

event "leaving" {
  sync = { carrier = leave }
}

event "returning" {
  sync = { carrier = return }
}

event "assignment" {
  by         = vendor
  only_while = assign.held
}

event "passing" {
  by         = client
  only_while = pass.held
}

obligation "deliver" {
  bearer       = vendor
  counterparty = client
  when         = order
  fulfil       = delivery
  breach       = leaving
}

obligation "fetch" {
  bearer       = client
  counterparty = vendor
  when         = order
  fulfil       = returning
  breach       = [leaving, passing]
}

permission "go" {
  bearer  = carrier
  of      = leaving
  from    = order
  require = carrier.free && carrier.load == 0
}

permission "come" {
  bearer  = carrier
  of      = returning
  from    = order
  require = !carrier.paid
}

prohibition "stay" {
  bearer  = carrier
  of      = returning
  from    = delivery
  require = carrier.load > 1
  until   = order
}

power "assign" {
  bearer   = vendor
  exercise = assignment
  when     = order
  require  = carrier.idle
  assigns  = deliver
  to       = bank
}

power "pass" {
  bearer   = client
  exercise = passing
  when     = order
  require  = carrier.away
  assigns  = fetch
  to       = carrier
}

template "parcel" {
  party "sender" {}

  event "sending" { by = sender }
}

template "letter" {
  party "sender" {}

  event "writing" { by = sender }
}

phase "post" {
  template = parcel
  roles    = { sender = vendor }
}

requirement "loaded" {
  always = "carrier.idle || carrier.away"

  waiver {
    reason   = "known"
    approver = "R. Roe"
    run      = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
  }
}

requirement "moves" {
  sometime = "carrier.away"

  waiver {
    reason   = "known"
    approver = "R. Roe"
    run      = "sha256:1111111111111111111111111111111111111111111111111111111111111111"
  }
}

retire "prompt" {
  contract = "rest"
  digest   = "sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
  reason   = "Payment is now between the banks"
}

retire "prompter" {
  digest = "sha256:1f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
  reason = "So it is"
}
