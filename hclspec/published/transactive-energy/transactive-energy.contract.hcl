# Symboleo's agreement of an energy provider, DERP, with the operator of the grid, CAISO (github.com/Smart-Contract-Modelling-uOttawa/Symboleo-Model-Checker,
# TransactiveEnergy.smv, MIT), in our own words, for three bids, with its times as hours; 6 for the fine instead of 30, on which nothing depends. The
# fine is five times the price. There the duty to pay for energy arises only once it is fulfilled, so it never does; here it arises with the supply.
contract "transactive-energy" {
  title = "Distributed energy resource provider agreement"
  ends  = [caiso-terminates, termination-by-derp]
}

party "caiso" { title = "CAISO" }
party "derp" { title = "DERP" }

event "termination-by-derp" {
  title = "DERP terminates the agreement"
  by    = [derp, caiso]
}

power "caiso-terminates" {
  title        = "terminate the agreement for a fine that is not paid"
  bearer       = caiso
  counterparty = derp
  when         = [b1.fine.breached, b2.fine.breached, b3.fine.breached]
  within       = "4 hours"
}

phase "b1" {
  title    = "the first bid"
  template = bid
  roles    = { iso = caiso, der = derp }
}

phase "b2" {
  title    = "the second bid"
  template = bid
  roles    = { iso = caiso, der = derp }
}

phase "b3" {
  title    = "the third bid"
  template = bid
  roles    = { iso = caiso, der = derp }
}

scenario "supplied-and-paid" {
  title  = "Energy that is supplied is paid for"
  events = [b1.bid-accepted, "3 hours", b1.supply, "3 hours", b1.pay]
  ends   = fulfilled
}

scenario "not-supplied" {
  title  = "Who does not supply in time can be fined"
  events = [b1.bid-accepted, "4 hours", b1.impose]
  ends   = "b1.supply.breached && b1.fine.owed"
}

scenario "fined-for-nothing" {
  title  = "Who supplies one of two bids pays a fine of five prices, more than twice what the energy was (so T3 fails)"
  events = [b1.bid-accepted, b2.bid-accepted, b1.supply, "4 hours", b2.impose, b2.fine]
  ends   = "b1.supply.fulfilled && !b2.supply.fulfilled && b2.fine.fulfilled"
}

scenario "fine-not-paid" {
  title  = "Who does not pay a fine within 6 hours can be put out of the agreement"
  events = [b1.bid-accepted, "4 hours", b1.impose, "6 hours", caiso-terminates]
  ends   = ended
}

scenario "energy-paid-after-the-end" {
  title  = "Energy that was supplied is paid for after the end"
  events = [b1.bid-accepted, b1.supply, termination-by-derp, b1.pay]
  ends   = "b1.pay.fulfilled"
}

requirement "T1" {
  title = "Whatever happens, all that is owed comes to an end"
  ctl   = "AG AF (!b1.supply.owed && !b1.pay.owed && !b1.fine.owed && !b2.supply.owed && !b2.pay.owed && !b2.fine.owed && !b3.supply.owed && !b3.pay.owed && !b3.fine.owed)"
}

requirement "T2" {
  title = "CAISO can't terminate once all bids are supplied"
  never = "enabled(caiso-terminates)"
  after = "b1.supply.fulfilled && b2.supply.fulfilled && b3.supply.fulfilled"
}

requirement "no-fine-after-the-end" {
  title = "Once the agreement has ended no energy and no fine is owed"
  never = "b1.supply.owed || b1.fine.owed || b2.supply.owed || b2.fine.owed || b3.supply.owed || b3.fine.owed"
  after = "contract.ended"
}

accept "breach-without-consequence" { reason = "Nothing follows there either" }
