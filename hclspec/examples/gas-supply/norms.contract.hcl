obligation "deliver" {
  title        = "deliver what was nominated"
  clause       = "3.2"
  bearer       = supplier
  counterparty = buyer
  when         = [nomination, recovery]
  fulfil       = delivery
  within       = 2
  until        = shortfall
  reparation   = deliver-late
}

obligation "deliver-late" {
  title         = "deliver late, at a discount"
  clause        = "3.3"
  bearer        = supplier
  counterparty  = buyer
  fulfil        = delivery
  within        = 1
  until         = shortfall
  ends_contract = true
}

obligation "take-or-pay" {
  title         = "take the gas, or pay for it all the same"
  clause        = "4.2"
  bearer        = buyer
  counterparty  = supplier
  when          = [invoice, settlement]
  fulfil        = payment
  within        = 2
  until         = dispute
  ends_contract = true
}

power "declare-force-majeure" {
  clause   = "7.1"
  bearer   = supplier
  exercise = force-majeure
  when     = nomination
  until    = [delivery, shortfall]
  lifts    = [deliver, deliver-late]
}

power "contest" {
  title    = "dispute an invoice, once"
  clause   = "6.1"
  bearer   = buyer
  exercise = dispute
  when     = invoice
  until    = payment
}

permission "make-up" {
  title  = "take gas paid for before"
  clause = "4.3"
  bearer = buyer
  of     = make-up
  from   = payment
}

requirement "kept-is-settled" {
  title = "When everybody keeps the contract, the year can always come to be paid for"
  over  = ideal
  ctl   = "AG EF take-or-pay.fulfilled"
}

requirement "paid-gas-can-be-made-up" {
  title  = "Gas paid for and not taken can be taken at first"
  clause = "4.3"
  ctl    = "AG (buyer.billed && contract.in_force -> EF (buyer.paid && !buyer.CREDIT))"
}

requirement "no-late-delivery-in-force-majeure" {
  title  = "While force majeure lasts the supplier cannot be late"
  clause = "7.1"
  ctl    = "AG (supplier.hindered -> !deliver.owed && !deliver-late.owed)"
}

requirement "disputed-is-not-due" {
  title  = "What is disputed need not be paid yet"
  clause = "6.1"
  ctl    = "AG (buyer.disputing -> !take-or-pay.owed)"
}

requirement "breach-answered" {
  title = "Every breach is made good or ends the contract"
  ctl   = "AG (!ideal -> AF (deliver-late.fulfilled || deliver-late.lifted || contract.ended))"
}

accept "norm-never-again" {
  on     = obligation.deliver
  reason = "once a delivery was late, clause 3.3 has taken its place"
}
