template "payment-on-delivery" {
  title       = "The goods are paid for once they are delivered"
  description = "The seller delivers, and the buyer owes the price from then on."
  parameter "days" {
    type        = duration
    default     = 3
    description = "how long after delivery the price is due"
  }

  party "seller" {}
  party "buyer" {
    state "waiting" { title = "waits for the goods" }
    state "has-goods" {
      title = "has the goods"
      since = delivery
    }
    state "settled" {
      title = "has paid"
      since = payment
    }
  }
  event "delivery" {
    title = "the goods are delivered"
    by    = seller
  }
  event "payment" {
    title      = "the price is paid"
    by         = buyer
    only_while = buyer.has-goods
  }
  obligation "pay" {
    title        = "pay the price"
    bearer       = buyer
    counterparty = seller
    when         = delivery
    fulfil       = payment
    within       = param.days
  }
  scenario "paid-late" {
    title  = "Who has not paid when the time is over is in breach"
    events = [delivery, param.days]
    breach = buyer
  }
  requirement "nothing-owed-before-delivery" {
    title   = "The price is owed only once the goods are delivered"
    no      = "pay.owed"
    without = "happened(delivery)"
  }
  requirement "seller-is-paid" {
    title = "The price comes as long as both act"
    ctl   = "AF buyer.settled"
  }
}
