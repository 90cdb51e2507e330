contract "lease" {
  title = "Lease of a flat for five years"
}

party "landlord" {}
party "tenant" {}

event "signature" {
  title = "the parties sign"
  by    = landlord
}

obligation "rent" {
  title        = "pay the rent"
  bearer       = tenant
  counterparty = landlord
  when         = signature
  every        = "30 days"
  times        = 60
  within       = "5 days"
}

event "expiry" {
  title = "the lease expires"
  after = { signature = "1826 days" }
}

obligation "deposit" {
  title        = "return the deposit"
  bearer       = landlord
  counterparty = tenant
  when         = expiry
  within       = "60 days"
}

power "terminate" {
  title        = "terminate for arrears"
  bearer       = landlord
  counterparty = tenant
  when         = rent[1].breached
  within       = "30 days"
  ends_contract = true
}

requirement "deposit-comes-back" {
  title    = "The deposit comes back"
  whenever = "happened(expiry)"
  follows  = "deposit.fulfilled || deposit.breached"
}

requirement "no-second-deposit" {
  never = "deposit.owed && rent[60].owed"
}
