template "confidentiality" {
  title       = "What is disclosed stays secret, also after the contract"
  description = "The receiver may not pass on what was disclosed to it, and gives it back when asked. Both survive the end of the contract."
  parameter "days" {
    type        = duration
    default     = 3
    description = "how long after the request the information is given back"
  }

  party "discloser" {
    state "silent" { title = "has disclosed nothing" }
    state "open" { title = "has disclosed information" }
    state "asking" { title = "has asked for its return" }
    state "whole" { title = "has it back" }
    transition "disclose" {
      from = silent
      to   = open
    }
    transition "ask" {
      from = open
      to   = asking
    }
    transition "take-back" {
      from = asking
      to   = whole
    }
  }
  party "receiver" {
    state "ignorant" { title = "knows nothing" }
    state "informed" { title = "has the information" }
    state "clean" { title = "has given it back" }
    transition "learn" {
      from = ignorant
      to   = informed
    }
    transition "leak" { read = [informed] }
    transition "give-back" {
      from = informed
      to   = clean
    }
  }
  event "disclosure" {
    title = "information is disclosed"
    sync = {
      discloser = disclose
      receiver  = learn
    }
  }
  event "leak" {
    title = "the receiver passes the information on"
    sync  = { receiver = leak }
  }
  event "request" {
    title = "the discloser asks for its return"
    sync  = { discloser = ask }
  }
  event "return" {
    title = "the information is given back"
    sync = {
      discloser = take-back
      receiver  = give-back
    }
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
    fulfil       = return
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
    ctl   = "AG EF discloser.whole"
  }
}
