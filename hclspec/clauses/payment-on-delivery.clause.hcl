template "payment-on-delivery" {
  title       = "The goods are paid for once they are delivered"
  description = "The seller delivers, and the buyer owes the price from then on."
  parameter "days" {
    type        = duration
    default     = 3
    description = "how long after delivery the price is due"
  }

  party "seller" {
    state "holding" { title = "has the goods" }
    state "delivered" { title = "has delivered" }
    state "paid" { title = "has the price" }
    transition "deliver" {
      from = holding
      to   = delivered
    }
    transition "be-paid" {
      from = delivered
      to   = paid
    }
  }
  party "buyer" {
    state "waiting" { title = "waits for the goods" }
    state "has-goods" { title = "has the goods" }
    state "settled" { title = "has paid" }
    transition "receive" {
      from = waiting
      to   = has-goods
    }
    transition "pay" {
      from = has-goods
      to   = settled
    }
  }
  event "delivery" {
    title = "the goods are delivered"
    sync = {
      seller = deliver
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
    ctl   = "AF seller.paid"
  }
}
