# What one party discloses to the other. Each party discloses and receives: two phases use this.
template "information" {
  party "discloser" {}

  party "receiver" {
    state "none" { title = "has no Confidential Information" }

    state "has" {
      title = "has Confidential Information"
      since = disclosure
    }

    state "returned" {
      title = "has returned or destroyed it"
      since = return
    }
  }

  event "disclosure" {
    title      = "Confidential Information is disclosed"
    clause     = "1"
    by         = [discloser, receiver]
    only_while = mnda.running
  }

  event "leak" {
    title      = "it is passed on to a third party without approval"
    clause     = "2(b)"
    by         = receiver
    only_while = receiver.has
  }

  event "notice-of-order" {
    title      = "the receiver gives notice of an order to disclose"
    clause     = "4"
    by         = receiver
    only_while = receiver.has
  }

  event "compelled-disclosure" {
    title      = "it is disclosed as the law requires"
    clause     = "4"
    by         = receiver
    only_while = [receiver.has, by-order.given]
  }

  event "request" {
    title      = "the discloser asks for return or destruction"
    clause     = "6(b)"
    by         = discloser
    only_while = receiver.has
  }

  event "return" {
    title      = "it is returned or destroyed"
    clause     = "6(b)"
    by         = receiver
    only_while = receiver.has
  }

  prohibition "secrecy" {
    title        = "pass nothing on"
    clause       = "2(b), 5"
    bearer       = receiver
    counterparty = discloser
    of           = leak
    from         = effective
    lasts        = var.confidentiality
  }

  permission "by-order" {
    title  = "disclose what the law requires, after notice"
    clause = "4"
    bearer = receiver
    of     = compelled-disclosure
    from   = notice-of-order
  }

  obligation "return" {
    title        = "return or destroy what was disclosed"
    clause       = "6(b)"
    bearer       = receiver
    counterparty = discloser
    when         = request
    fulfil       = return
    within       = "1 quarter"
  }

  requirement "secret-after-the-end" {
    title  = "When the MNDA is terminated, what was disclosed stays protected"
    clause = "5"
    ctl    = "AG (secrecy.in_force && mnda.running -> AX (mnda.over -> secrecy.in_force))"
  }

  requirement "return-on-request" {
    title  = "Who asks for return is owed it, after the end, too"
    clause = "6(b)"
    ctl    = "AG (receiver.has && happened(request) -> return.owed || return.breached)"
  }

  requirement "order-with-notice" {
    title   = "No disclosure by order without notice first"
    clause  = "4"
    no      = "happened(compelled-disclosure)"
    without = "happened(notice-of-order)"
  }

  accept "breach-without-consequence" {
    on     = prohibition.secrecy
    reason = "Damages and an injunction are for a court to give (10)"
  }

  accept "breach-without-consequence" {
    on     = obligation.return
    reason = "Damages and an injunction are for a court to give (10)"
  }
}
