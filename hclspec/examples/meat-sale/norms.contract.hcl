obligation "deliver" {
  title         = "deliver the meat"
  clause        = "2"
  bearer        = seller
  counterparty  = buyer
  when          = [order, resumption]
  fulfil        = delivery
  within        = 3
  until         = suspension
  ends_contract = true
}

obligation "pay" {
  title        = "pay the price"
  clause       = "3"
  bearer       = buyer
  counterparty = seller
  when         = order
  fulfil       = payment
  within       = 2
  reparation   = pay-late
}

obligation "pay-late" {
  title         = "pay the price with interest"
  clause        = "4"
  bearer        = buyer
  counterparty  = seller
  fulfil        = [payment, late-payment]
  within        = 2
  ends_contract = true
}

power "suspend" {
  title    = "suspend delivery while payment is late"
  clause   = "5"
  bearer   = seller
  exercise = suspension
  when     = pay.breached
  until    = [payment, late-payment]
}

power "terminate" {
  title         = "terminate when delivery is suspended"
  clause        = "6"
  bearer        = buyer
  exercise      = termination
  when          = suspension
  until         = resumption
  ends_contract = true
}

requirement "completion" {
  title = "When everybody keeps the contract, the meat is delivered and paid"
  over  = ideal
  ctl   = "AF (deliver.fulfilled && pay.fulfilled)"
}

requirement "delivery-stays-possible" {
  title  = "As long as the contract is in force, delivery can still come"
  clause = "2, 5"
  ctl    = "AG (contract.in_force -> EF deliver.fulfilled)"
}

requirement "suspended-only-when-late" {
  title  = "Delivery is suspended only after a late payment"
  clause = "5"
  ctl    = "A[!suspend.exercised W pay.breached]"
}

requirement "late-payment-answered" {
  title  = "Late payment is made good, or the contract ends"
  clause = "4"
  ctl    = "AG (pay.breached -> AF (pay-late.fulfilled || contract.ended))"
}
