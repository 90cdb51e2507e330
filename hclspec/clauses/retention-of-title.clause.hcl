template "retention-of-title" {
  title       = "The goods stay the seller's until they are paid"
  description = "The buyer has the goods and may not sell them on; title passes with the price, and the seller may take them back while payment is late."
  parameter "days" {
    type        = duration
    default     = 3
    description = "how long after delivery the price is due"
  }

  party "seller" {}
  party "buyer" {}
  document "goods" {
    title  = "the goods"
    holder = seller
    moves = {
      delivery = { from = seller, to = buyer }
      recovery = { from = buyer, to = seller }
    }
  }
  document "title" {
    title  = "title to the goods"
    holder = seller
    moves  = { payment = { from = seller, to = buyer } }
  }
  event "delivery" {
    title = "the goods are handed over"
    by    = seller
  }
  event "payment" {
    title      = "the price is paid"
    by         = buyer
    only_while = goods.buyer
  }
  event "resale" {
    title      = "the buyer sells the goods on"
    by         = buyer
    only_while = goods.buyer
  }
  event "recovery" {
    title      = "the seller takes the goods back"
    by         = seller
    only_while = [pay.breached, title.seller]
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
    ends   = "goods.seller && title.seller"
  }
  scenario "paid-after-all" {
    title  = "What was paid late is not taken back"
    events = [delivery, param.days, payment, recovery]
    expect = impossible
  }
  requirement "title-for-the-price" {
    title   = "The buyer has title only once the price is paid"
    no      = "title.buyer"
    without = "happened(payment)"
  }
  requirement "goods-or-price" {
    title = "The seller can always still get its price, or its goods back"
    ctl   = "AG EF (happened(payment) || happened(recovery))"
  }
}
