template "retention-of-title" {
  title       = "The goods stay the seller's until they are paid"
  description = "The buyer has the goods and may not sell them on; title passes with the price, and the seller may take them back while payment is late."
  parameter "days" {
    type        = duration
    default     = 3
    description = "how long after delivery the price is due"
  }

  party "seller" {
    state "holding" { title = "has the goods" }
    state "out" { title = "has handed the goods over" }
    state "paid" { title = "has the price" }
    state "recovered" { title = "has the goods back" }
    transition "hand-over" {
      from = holding
      to   = out
    }
    transition "be-paid" {
      from = out
      to   = paid
    }
    transition "recover" {
      from = out
      to   = recovered
    }
  }
  party "buyer" {
    state "waiting" { title = "waits for the goods" }
    state "using" { title = "has the goods, and not the title" }
    state "owner" { title = "owns the goods" }
    state "without" { title = "has given the goods back" }
    transition "receive" {
      from = waiting
      to   = using
    }
    transition "pay" {
      from = using
      to   = owner
    }
    transition "give-back" {
      from = using
      to   = without
    }
    transition "sell-on" { read = [using] }
  }
  document "title" {
    title  = "title to the goods"
    holder = seller
    moves  = { payment = { from = seller, to = buyer } }
  }
  event "delivery" {
    title = "the goods are handed over"
    sync = {
      seller = hand-over
      buyer  = receive
    }
  }
  event "payment" {
    title = "the price is paid"
    sync = {
      seller = be-paid
      buyer  = pay
    }
  }
  event "resale" {
    title = "the buyer sells the goods on"
    sync  = { buyer = sell-on }
  }
  event "recovery" {
    title      = "the seller takes the goods back"
    only_while = pay.breached
    sync = {
      seller = recover
      buyer  = give-back
    }
  }
  obligation "pay" {
    title        = "pay the price"
    bearer       = buyer
    counterparty = seller
    when         = delivery
    fulfil       = payment
    within       = param.days
  }
  prohibition "no-resale" {
    title        = "sell the goods on"
    bearer       = buyer
    counterparty = seller
    of           = resale
    from         = delivery
    until        = [payment, recovery]
  }
  scenario "not-paid" {
    title  = "The goods of a buyer who does not pay come back"
    events = [delivery, param.days, recovery]
    ends   = "seller.recovered && title.seller"
  }
  requirement "title-for-the-price" {
    title = "The buyer has title only once the price is paid"
    ctl   = "AG (title.buyer -> seller.paid)"
  }
  requirement "goods-or-price" {
    title = "The seller can always still get its price, or its goods back"
    ctl   = "AG EF (seller.paid || seller.recovered)"
  }
}
