contract "licence" {
  title = "Licence with annual fees"
  start = "2026-01-01"
}
party "licensor" {}
party "licensee" {
  state "unlicensed" {}
  state "using" { since = grant }
  state "stopped" { since = [termination, expiry] }
}
event "grant" {
  by     = [licensor, licensee]
  within = "2026-03-31"
}
event "payment" {
  by         = licensee
  repeats    = true
  only_while = any(fee.owed, cure.owed)
}
event "notice" {
  by         = licensor
  only_while = fee.breached
}
event "termination" {
  by         = licensor
  only_while = [licensee.using, cure.breached]
}
event "report" { by = licensee }
event "expiry" { after = "2028-06-30" }
event "deletion" { by = licensee }
obligation "fee" {
  bearer       = licensee
  counterparty = licensor
  fulfil       = payment
  times        = 3
  every        = "365 days"
  within       = "30 days"
}
obligation "cure" {
  bearer       = licensee
  counterparty = licensor
  when         = notice
  fulfil       = payment
  within       = "30 days"
}
obligation "reporting" {
  bearer       = licensee
  counterparty = licensor
  when         = grant
  fulfil       = report
  within       = "90 days"
}
obligation "delete" {
  bearer       = licensee
  counterparty = licensor
  when         = [termination, expiry]
  fulfil       = deletion
  within       = "30 days"
}
requirement "stops" { ctl = "AF licensee.stopped" }
requirement "no-termination-without-cure" { ctl = "A[!happened(termination) W cure.breached]" }
requirement "cure-settles" { ctl = "AG (cure.owed -> AF !cure.owed)" }
requirement "deleted" {
  over = ideal
  ctl  = "AG (licensee.stopped -> AF !delete.owed)"
}
requirement "fees" {
  over = ideal
  ctl  = "AF fee[3].fulfilled"
}
requirement "reports" {
  over     = ideal
  whenever = "happened(grant)"
  follows  = "reporting.fulfilled"
}
requirement "can-use" { ctl = "EF (licensee.using && fee[2].fulfilled)" }
requirement "can-stop" { ctl = "AG EF licensee.stopped" }
accept "breach-without-consequence" { reason = "for the law" }
