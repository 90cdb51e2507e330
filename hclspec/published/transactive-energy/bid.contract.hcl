# One of the three bids that the source has.
template "bid" {
  party "iso" {}
  party "der" {}

  event "bid-accepted" {
    title = "CAISO accepts the bid"
    by    = [iso, der]
  }

  obligation "supply" {
    title        = "supply the energy"
    bearer       = der
    counterparty = iso
    when         = bid-accepted
    within       = "4 hours"
  }

  obligation "pay" {
    title        = "pay for the energy"
    bearer       = iso
    counterparty = der
    when         = supply
    within       = "4 hours"
    survives     = true
  }

  power "impose" {
    title        = "impose a fine"
    bearer       = iso
    counterparty = der
    when         = supply.breached
    within       = "2 hours"
  }

  obligation "fine" {
    title        = "pay the fine"
    bearer       = der
    counterparty = iso
    when         = impose
    within       = "6 hours"
  }
}
