template "renewal" {
  title       = "The term is renewed unless the client gives notice"
  description = "A term runs for some time, and then another begins by itself, up to a number of terms. Who gives notice is free when the term is over."
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
    counter "terms" {
      title   = "terms begun"
      to      = param.terms
      changes = { any(beginning, renewal) = terms + 1 }
    }
  }
  party "client" {
    state "idle" { title = "the term has not begun" }
    state "bound" {
      title = "is bound"
      since = beginning
    }
    state "leaving" {
      title = "has given notice"
      since = notice
    }
    state "free" {
      title = "is free"
      since = end
    }
  }
  event "beginning" {
    title = "the first term begins"
    by    = [provider, client]
  }
  event "notice" {
    title      = "the client gives notice"
    by         = client
    only_while = client.bound
  }
  event "renewal" {
    title      = "another term begins"
    after      = { any(beginning, renewal) = param.term }
    only_while = [client.bound, provider.terms < param.terms]
  }
  event "end" {
    title      = "the term ends, as notice was given or it was the last"
    after      = { any(beginning, renewal) = param.term }
    only_while = any(client.leaving, provider.terms == param.terms)
  }
  scenario "no-end-within-a-term" {
    title  = "Who gives notice stays bound until the term is over"
    events = [beginning, notice, end]
    expect = impossible
  }
  scenario "notice" {
    title  = "Who gave notice is free after the term"
    events = [beginning, notice, param.term]
    ends   = "client.free"
  }
  scenario "renewed-by-itself" {
    title  = "A term that nobody ends is followed by another, unless it was the last"
    events = [beginning, param.term]
    ends   = "client.free || provider.terms == 2"
  }
  scenario "each-term-takes-its-time" {
    title  = "Two terms do not end at once"
    events = [beginning, param.term, renewal, renewal]
    expect = impossible
  }
  scenario "bound-for-the-term" {
    title  = "Who gives notice in a later term stays bound until that one is over"
    events = [beginning, param.term, renewal, notice, end]
    expect = impossible
  }
  requirement "no-renewal-after-notice" {
    title = "After notice no new term begins"
    ctl   = "AG (client.leaving -> !enabled(renewal))"
  }
  requirement "everybody-can-leave" {
    title = "The client can always become free"
    ctl   = "AG EF client.free"
  }
}
