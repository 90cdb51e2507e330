template "confidentiality" {
  title       = "What is disclosed stays secret, also after the contract"
  description = "The receiver may not pass on what was disclosed to it, and gives it back when asked. Both survive the end of the contract."
  parameter "days" {
    type        = duration
    default     = 3
    description = "how long after the request the information is given back"
  }

  party "discloser" {}
  party "receiver" {
    state "ignorant" { title = "knows nothing" }
    state "informed" {
      title = "has the information"
      since = disclosure
    }
    state "clean" {
      title = "has given it back"
      since = return
    }
  }
  event "disclosure" {
    title = "information is disclosed"
    by    = discloser
  }
  event "leak" {
    title      = "the receiver passes the information on"
    by         = receiver
    only_while = receiver.informed
  }
  event "request" {
    title      = "the discloser asks for its return"
    by         = discloser
    only_while = receiver.informed
  }
  event "return" {
    title      = "the information is given back"
    by         = receiver
    only_while = happened(request)
  }
  prohibition "secrecy" {
    title        = "pass the information on"
    bearer       = receiver
    counterparty = discloser
    of           = leak
    from         = disclosure
    until        = return
    survives     = true
  }
  obligation "return" {
    title        = "give the information back"
    bearer       = receiver
    counterparty = discloser
    when         = request
    within       = param.days
    survives     = true
  }
  scenario "asked-and-not-given-back" {
    title  = "Who keeps what was asked for is in breach"
    events = [disclosure, request, param.days]
    breach = receiver
  }
  requirement "secret-while-known" {
    title = "Whoever has the information is bound to secrecy, or has broken it"
    ctl   = "AG (receiver.informed -> secrecy.in_force || secrecy.breached)"
  }
  requirement "can-be-had-back" {
    title = "What was disclosed can always be had back"
    ctl   = "AG EF receiver.clean"
  }
}
