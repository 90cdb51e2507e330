# Symboleo's meat sale, CBEEF to COSTCO (github.com/Smart-Contract-Modelling-uOttawa/Symboleo-Model-Checker, MeatSales.smv, MIT), in our own words. Its timers can run out
# at any moment; here their times are days, and the price is due after 3 of them instead of 4, or nothing could be suspended before it is late itself. The README beside
# it has the result of each of its properties; those that fail are no promises, and scenarios show why. Left out: the assignment of the delivery, which changes
# nothing there, and who performs an event, which is always who may here.
contract "meat-sale-smv" {
  title = "Meat sale"
  ends  = terminate
}

party "seller" { title = "CBEEF" }
party "buyer" { title = "COSTCO" }

event "effective" {
  title = "the contract takes effect"
  by    = [seller, buyer]
}

event "suspension" {
  title      = "CBEEF suspends the delivery"
  by         = [seller, buyer]
  only_while = [suspend.held, deliver.owed]
}

event "buyer-discloses" {
  title = "COSTCO discloses the contract"
  by    = buyer
}

event "seller-discloses" {
  title = "CBEEF discloses the contract"
  by    = seller
}

obligation "deliver" {
  title        = "deliver the meat"
  bearer       = seller
  counterparty = buyer
  when         = effective
  within       = "4 days"
}

obligation "pay" {
  title        = "pay the price"
  bearer       = buyer
  counterparty = seller
  when         = effective
  within       = "3 days"
  reparation   = pay-late
}

obligation "pay-late" {
  title        = "pay late, with the penalty"
  bearer       = buyer
  counterparty = seller
  within       = "2 days"
}

prohibition "buyer-secrecy" {
  title        = "keep the contract secret"
  bearer       = buyer
  counterparty = seller
  of           = buyer-discloses
  from         = effective
  lasts        = "5 days"
  survives     = true
}

prohibition "seller-secrecy" {
  title        = "keep the contract secret"
  bearer       = seller
  counterparty = buyer
  of           = seller-discloses
  from         = effective
  lasts        = "5 days"
  survives     = true
}

power "suspend" {
  title        = "suspend the delivery"
  bearer       = seller
  counterparty = buyer
  exercise     = suspension
  when         = pay.breached
  within       = "2 days"
  suspends     = [deliver]
  until        = resume
}

power "resume" {
  title        = "have the delivery resumed"
  bearer       = buyer
  counterparty = seller
  when         = pay-late
  within       = "2 days"
}

power "terminate" {
  title        = "terminate the contract"
  bearer       = buyer
  counterparty = seller
  when         = deliver.breached
  within       = "4 days"
}

locals {
  settled = "(contract.ended || deliver.fulfilled || deliver.breached) && !pay.owed && !pay-late.owed"
}

scenario "delivered-first" {
  title  = "Nobody has to pay before the delivery (so LTL3 and LTL8 fail)"
  events = [effective, deliver]
  ends   = "deliver.fulfilled && pay.owed"
}

scenario "paid-for-nothing" {
  title  = "Who has paid may never get the meat (so LTL4 fails)"
  events = [effective, pay, "4 days", terminate]
  ends   = "pay.fulfilled && deliver.breached"
}

scenario "free-meat" {
  title  = "Who gets the meat and never pays is through with it after 5 days (so CTL5 fails)"
  events = [effective, deliver, "5 days"]
  ends   = "${local.settled} && pay-late.breached"
}

scenario "suspended-for-ever" {
  title  = "Who does not pay late in time can't have the delivery resumed (so LTL1 and CTL2 fail)"
  events = [effective, "3 days", suspension, "2 days", resume]
  expect = impossible
}

scenario "nothing-to-suspend" {
  title  = "After the delivery there is nothing to suspend (so CTL1 fails)"
  events = [effective, deliver, "3 days", suspension]
  expect = impossible
}

scenario "resumed" {
  title  = "Who pays late has the delivery resumed, with the rest of its time"
  events = [effective, "3 days", suspension, pay-late, resume, deliver]
  ends   = "deliver.fulfilled && pay-late.fulfilled"
}

requirement "LTL2" {
  title   = "COSTCO is penalised once at most"
  at_most = 1
  times   = "pay-late.owed"
}

requirement "LTL5" {
  title  = "Paid and delivered in time, the sale is settled"
  always = "pay.fulfilled && deliver.fulfilled -> ${local.settled}"
}

requirement "LTL6" {
  title  = "Who pays late while the delivery is suspended has paid the penalty, and not in time"
  always = "deliver.suspended && happened(pay-late) -> pay-late.fulfilled && pay.breached"
}

requirement "LTL7" {
  title = "Once the contract has ended nothing is to be delivered or paid"
  never = "deliver.owed || deliver.suspended || pay.owed || pay-late.owed"
  after = "contract.ended"
}

requirement "LTL9" {
  title = "Once the penalty is paid it is not owed again"
  never = "pay-late.owed"
  after = "pay-late.fulfilled"
}

requirement "LTL11" {
  title = "Price and penalty are never owed at once"
  never = "pay.owed && pay-late.owed"
}

requirement "LTL12" {
  title  = "What both have done is fulfilled, and the sale is settled"
  always = "happened(pay) && happened(deliver) -> pay.fulfilled && deliver.fulfilled && ${local.settled}"
}

requirement "LTL13" {
  title    = "After the delivery the price is paid, or late"
  whenever = "deliver.fulfilled"
  follows  = "pay.fulfilled || pay.breached"
}

requirement "CTL4" {
  title = "Each power and each duty can come up"
  ctl   = "EF suspend.held && EF resume.held && EF terminate.held && EF deliver.owed && EF pay.owed && EF pay-late.owed"
}

requirement "secret-after-the-end" {
  title = "The contract stays secret when it is terminated"
  ctl   = "AG (seller-secrecy.in_force && terminate.held -> AX (contract.ended -> seller-secrecy.in_force))"
}

accept "breach-without-consequence" { reason = "Nothing follows there either" }
