contract "spa" {
  title    = "Share purchase"
  start    = "2026-01-01"
  calendar = { month = "30 days" }
}
party "seller" {
  state "negotiating" {}
  state "signed" { since = signing }
  state "sold" { since = completion }
}
party "buyer" {
  state "waiting" {}
  state "owner" { since = completion }
  state "away" { since = rescission }
}
party "authority" {
  state "asked" {}
  state "cleared" { since = clearance }
}
event "signing" {
  by     = [seller, buyer]
  within = "2026-01-31"
}
event "clearance" { by = authority }
event "completion" {
  by         = [seller, buyer]
  only_while = [seller.signed, authority.cleared, !buyer.away]
  within     = "2026-06-30"
}
event "rescission" {
  by         = buyer
  not_before = "2026-07-01"
  only_while = [seller.signed, !seller.sold]
}
event "payment" { by = buyer }
event "claim" {
  by         = buyer
  repeats    = true
  only_while = [seller.sold, !answer.owed]
  within     = { completion = "540 days" }
}
event "settlement" {
  by         = seller
  repeats    = true
  only_while = answer.owed
}
event "accounts" {
  after = { completion = "360 days" }
}
event "earn-out" { by = buyer }
event "interest-payment" { by = buyer }
obligation "conditions" {
  bearer       = seller
  counterparty = buyer
  when         = signing
  fulfil       = [clearance]
  by           = "2026-06-30"
}
obligation "price" {
  bearer       = buyer
  counterparty = seller
  when         = completion
  fulfil       = payment
  within       = "10 days"
  reparation   = interest
}
obligation "interest" {
  bearer       = buyer
  counterparty = seller
  fulfil       = interest-payment
  within       = "30 days"
}
obligation "answer" {
  bearer       = seller
  counterparty = buyer
  when         = claim
  fulfil       = settlement
  within       = "30 days"
}
obligation "pay-earn-out" {
  bearer       = buyer
  counterparty = seller
  when         = accounts
  fulfil       = earn-out
  within       = "30 days"
}
power "rescind" {
  bearer   = buyer
  when     = signing
  exercise = rescission
  lifts    = [conditions]
  until    = completion
}
requirement "can-complete" { ctl = "EF buyer.owner" }
requirement "no-completion-uncleared" { ctl = "AG (buyer.owner -> authority.cleared)" }
requirement "price-follows" {
  over = ideal
  ctl  = "AG (price.owed -> AF price.fulfilled)"
}
requirement "claim-answered" {
  over     = ideal
  whenever = "answer.owed"
  follows  = "answer.fulfilled"
}
requirement "late-price-pays-interest" { ctl = "AG (price.breached -> AF (interest.fulfilled || interest.breached))" }
requirement "price-decided" { ctl = "AG (price.owed -> AF (price.fulfilled || price.breached))" }
requirement "earn-out-comes" { ctl = "AG (buyer.owner -> AF !pay-earn-out.dormant)" }
requirement "earn-out-paid" {
  over = ideal
  ctl  = "AG (buyer.owner -> AF pay-earn-out.fulfilled)"
}
requirement "claim-after-earn-out" { ctl = "EF (pay-earn-out.fulfilled && answer.owed)" }
requirement "signed-or-not" { ctl = "AF (seller.signed || seller.sold || seller.negotiating)" }
requirement "never-both" { ctl = "AG !(buyer.away && buyer.owner)" }
requirement "completes" {
  over = ideal
  ctl  = "AF (buyer.owner || buyer.away)"
}
requirement "owner-stays" { ctl = "AG (buyer.owner -> AG buyer.owner)" }
requirement "can-always-settle" { ctl = "AG (answer.owed -> EF answer.fulfilled)" }
