template "renewal" {
  title       = "The term is renewed unless somebody gives notice"
  description = "A term runs for some time. Who gives notice ends it there; otherwise a new term begins, up to a number of terms."
  parameter "term" {
    type        = duration
    default     = 3
    description = "how long a term is"
  }
  parameter "terms" {
    type        = number
    default     = 3
    description = "how many terms there are at most"
  }

  party "provider" {
    state "idle" { title = "the term has not begun" }
    state "bound" { title = "is bound" }
    state "free" { title = "is free" }
    counter "terms" {
      title = "terms begun"
      to    = param.terms
    }
    transition "begin" {
      from = idle
      to   = bound
      set  = { terms = 1 }
    }
    transition "renew" {
      read    = [bound]
      require = terms < param.terms
      set     = { terms = terms + 1 }
    }
    transition "leave" {
      from = bound
      to   = free
    }
    transition "expire" {
      from    = bound
      to      = free
      require = terms == param.terms
    }
  }
  party "client" {
    state "idle" { title = "the term has not begun" }
    state "bound" { title = "is bound" }
    state "leaving" { title = "has given notice" }
    state "free" { title = "is free" }
    transition "begin" {
      from = idle
      to   = bound
    }
    transition "give-notice" {
      from = bound
      to   = leaving
    }
    transition "renew" { read = [bound] }
    transition "leave" {
      from = leaving
      to   = free
    }
    transition "expire" {
      from = bound
      to   = free
    }
  }
  event "beginning" {
    title = "the first term begins"
    sync = {
      provider = begin
      client   = begin
    }
  }
  event "notice" {
    title = "the client gives notice"
    sync  = { client = give-notice }
  }
  event "renewal" {
    title      = "another term begins"
    not_before = { beginning = param.term }
    sync = {
      provider = renew
      client   = renew
    }
  }
  event "end" {
    title      = "the term ends, as notice was given"
    not_before = { beginning = param.term }
    sync = {
      provider = leave
      client   = leave
    }
  }
  event "expiry" {
    title      = "the last term ends"
    not_before = { beginning = param.term }
    sync = {
      provider = expire
      client   = expire
    }
  }
  scenario "no-end-within-a-term" {
    title  = "Who gives notice stays bound until the term is over"
    events = [beginning, notice, end]
    expect = impossible
  }
  scenario "notice" {
    title  = "Who gave notice is free after the term"
    events = [beginning, notice, param.term, end]
    ends   = "client.free"
  }
  requirement "no-renewal-after-notice" {
    title = "After notice no new term begins"
    ctl   = "AG (client.leaving -> !enabled(renewal))"
  }
  requirement "both-or-neither" {
    title = "Both are free at the same time"
    ctl   = "AG (client.free <-> provider.free)"
  }
  requirement "everybody-can-leave" {
    title = "Both can always become free"
    ctl   = "AG EF client.free"
  }
}
