obligation "deliver" {
  title         = "deliver the car"
  clause        = "2"
  bearer        = seller
  counterparty  = buyer
  when          = order
  fulfil        = delivery
  within        = "2 weeks"
  ends_contract = true
}

obligation "pay" {
  title        = "pay the price"
  clause       = "3"
  bearer       = buyer
  counterparty = seller
  when         = delivery
  fulfil       = payment
  within       = "1 week"
}

obligation "hand-over" {
  title        = "hand over the registration papers"
  clause       = "4"
  bearer       = seller
  counterparty = buyer
  when         = payment
  fulfil       = transfer
}

power "cancel" {
  title         = "cancel the sale"
  clause        = "5"
  bearer        = buyer
  counterparty  = seller
  exercise      = cancellation
  when          = order
  until         = delivery
  ends_contract = true
}

power "take-back" {
  title         = "take the car back while payment is late"
  clause        = "6"
  bearer        = seller
  counterparty  = buyer
  exercise      = repossession
  when          = pay.breached
  until         = payment
  ends_contract = true
}

requirement "no-free-car" {
  title  = "The buyer never cancels and keeps the car"
  clause = "5"
  never  = "buyer.out && buyer.has-car"
}

requirement "papers-against-payment" {
  title   = "The papers change hands only once the price is paid"
  clause  = "4"
  no      = "papers.buyer"
  without = "seller.paid"
}

requirement "papers-for-payment" {
  title    = "When everybody keeps the contract, whoever pays gets the papers"
  clause   = "4"
  over     = ideal
  whenever = "seller.paid"
  follows  = "papers.buyer"
}
