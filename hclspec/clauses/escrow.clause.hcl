template "escrow" {
  title       = "An agent holds the price until the goods are accepted"
  description = "The buyer deposits, the seller performs, the agent releases the price to the seller, or back to the buyer if nothing is delivered in time."
  parameter "days" {
    type        = duration
    default     = 5
    description = "how long after the deposit the seller has to perform"
  }

  party "buyer" {
    state "holding" { title = "has the price" }
    state "deposited" { title = "has deposited the price" }
    state "served" { title = "has accepted the goods" }
    state "refunded" { title = "has the price back" }
    transition "deposit" {
      from = holding
      to   = deposited
    }
    transition "accept" {
      from = deposited
      to   = served
    }
    transition "be-refunded" {
      from = deposited
      to   = refunded
    }
  }
  party "seller" {
    state "waiting" { title = "has not performed" }
    state "performed" { title = "has performed" }
    state "paid" { title = "has the price" }
    transition "perform" {
      from = waiting
      to   = performed
    }
    transition "be-paid" {
      from = performed
      to   = paid
    }
    transition "stand-by" { read = [waiting] }
  }
  party "agent" {
    state "empty" { title = "holds nothing" }
    state "full" { title = "holds the price" }
    state "bound" { title = "holds the price for the seller" }
    transition "take" {
      from = empty
      to   = full
    }
    transition "earmark" {
      from = full
      to   = bound
    }
    transition "pay-out" {
      from = bound
      to   = empty
    }
    transition "pay-back" {
      from = full
      to   = empty
    }
  }
  event "deposit" {
    title = "the buyer deposits the price with the agent"
    sync = {
      buyer = deposit
      agent = take
    }
  }
  event "acceptance" {
    title = "the seller performs, and the buyer accepts"
    sync = {
      seller = perform
      buyer  = accept
      agent  = earmark
    }
  }
  event "release" {
    title = "the agent releases the price to the seller"
    sync = {
      agent  = pay-out
      seller = be-paid
    }
  }
  event "refund" {
    title      = "the agent pays the price back to the buyer"
    only_while = perform.breached
    sync = {
      agent  = pay-back
      buyer  = be-refunded
      seller = stand-by
    }
  }
  obligation "perform" {
    title        = "perform"
    bearer       = seller
    counterparty = buyer
    when         = deposit
    fulfil       = acceptance
    within       = param.days
    reparation   = refund
  }
  obligation "release" {
    title        = "release the price to the seller"
    bearer       = agent
    counterparty = seller
    when         = acceptance
    fulfil       = release
  }
  obligation "refund" {
    title        = "pay the price back"
    bearer       = agent
    counterparty = buyer
    fulfil       = refund
    until        = acceptance
  }
  scenario "not-performed" {
    title  = "If nothing is delivered in time, the buyer has the price back"
    events = [deposit, param.days, refund]
    ends   = "buyer.refunded && refund.fulfilled"
  }
  requirement "price-is-somewhere-once" {
    title = "The price is never with the seller and back with the buyer"
    never = "seller.paid && buyer.refunded"
  }
  requirement "no-release-before-acceptance" {
    title   = "The seller has the price only once the buyer has accepted"
    no      = "seller.paid"
    without = "buyer.served"
  }
  requirement "nobody-loses-the-price" {
    title = "The price can always still come to the seller or back to the buyer"
    ctl   = "AG EF (seller.paid || buyer.refunded)"
  }
}
