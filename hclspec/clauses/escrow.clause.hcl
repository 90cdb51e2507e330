template "escrow" {
  title       = "An agent holds the price until the goods are accepted"
  description = "The buyer deposits, the seller performs, the agent releases the price to the seller, or back to the buyer if nothing is delivered in time."
  parameter "days" {
    type        = duration
    default     = 5
    description = "how long after the deposit the seller has to perform"
  }

  party "buyer" {}
  party "seller" {}
  party "agent" {}
  document "price" {
    title  = "the price"
    holder = buyer
    moves = {
      deposit = { from = buyer, to = agent }
      release = { from = agent, to = seller }
      refund  = { from = agent, to = buyer }
    }
  }
  event "deposit" {
    title = "the buyer deposits the price with the agent"
    by    = buyer
  }
  event "acceptance" {
    title      = "the seller performs, and the buyer accepts"
    by         = [seller, buyer]
    only_while = price.agent
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
  }
  obligation "refund" {
    title        = "pay the price back"
    bearer       = agent
    counterparty = buyer
    until        = acceptance
  }
  scenario "not-performed" {
    title  = "If nothing is delivered in time, the buyer has the price back"
    events = [deposit, param.days, refund]
    ends   = "price.buyer && refund.fulfilled"
  }
  requirement "no-release-before-acceptance" {
    title   = "The seller has the price only once the buyer has accepted"
    no      = "price.seller"
    without = "happened(acceptance)"
  }
  requirement "no-refund-after-acceptance" {
    title = "Once the buyer has accepted it can't have the price back"
    ctl   = "AG (happened(acceptance) -> !price.buyer)"
  }
  requirement "nobody-loses-the-price" {
    title = "The price can always still come to the seller or back to the buyer"
    ctl   = "AG EF (price.seller || price.buyer)"
  }
}
