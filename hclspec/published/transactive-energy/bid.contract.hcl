# One of the three bids that the source has.
template "bid" {
  party "iso" {}
  party "der" {}

  event "bid-accepted" {
    title = "CAISO accepts the bid"
    by    = [iso, der]
  }

  event "supply" {
    title      = "DERP supplies the energy"
    by         = [der, iso]
    only_while = supply.owed
  }

  event "iso-pays" {
    title      = "CAISO pays for the energy"
    by         = [iso, der]
    only_while = pay.owed
  }

  event "penalty" {
    title      = "CAISO imposes the fine"
    by         = [iso, der]
    only_while = impose.held
  }

  event "fine-paid" {
    title      = "DERP pays the fine"
    by         = [der, iso]
    only_while = fine.owed
  }

  obligation "supply" {
    title        = "supply the energy"
    bearer       = der
    counterparty = iso
    when         = bid-accepted
    fulfil       = supply
    within       = "4 hours"
  }

  obligation "pay" {
    title        = "pay for the energy"
    bearer       = iso
    counterparty = der
    when         = supply
    fulfil       = iso-pays
    within       = "4 hours"
    survives     = true
  }

  power "impose" {
    title        = "impose a fine"
    bearer       = iso
    counterparty = der
    exercise     = penalty
    when         = supply.breached
    within       = "2 hours"
  }

  obligation "fine" {
    title        = "pay the fine"
    bearer       = der
    counterparty = iso
    when         = penalty
    fulfil       = fine-paid
    within       = "6 hours"
  }
}
