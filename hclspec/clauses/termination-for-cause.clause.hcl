template "termination-for-cause" {
  title       = "A breach that is not cured after notice ends the relation"
  description = "The aggrieved party gives notice of a breach. If it is not cured in time, that party may terminate."
  parameter "cure" {
    type        = duration
    default     = 3
    description = "how long after notice the breach can be cured"
  }

  party "party-in-breach" {
    state "sound" {
      title = "performs"
      since = cure
    }
    state "failing" {
      title = "fails to perform"
      since = failure
    }
    state "warned" {
      title = "has notice of its failure"
      since = notice
    }
    state "out" {
      title = "is terminated"
      since = termination
    }
  }
  party "aggrieved" {}
  event "failure" {
    title      = "a party fails to perform"
    by         = party-in-breach
    repeats    = true
    only_while = party-in-breach.sound
  }
  event "notice" {
    title      = "the other gives notice of the failure"
    by         = aggrieved
    repeats    = true
    only_while = party-in-breach.failing
  }
  event "cure" {
    title      = "the failure is cured"
    by         = party-in-breach
    repeats    = true
    within     = { notice = param.cure }
    only_while = party-in-breach.warned
  }
  event "termination" {
    title      = "the other terminates"
    by         = aggrieved
    not_before = { notice = param.cure }
    only_while = party-in-breach.warned
  }
  scenario "not-before-the-time-to-cure" {
    title  = "Nobody terminates while the breach can still be cured"
    events = [failure, notice, termination]
    expect = impossible
  }
  scenario "not-cured" {
    title  = "What is not cured in time ends the relation"
    events = [failure, notice, param.cure, termination]
    ends   = "party-in-breach.out"
  }
  scenario "time-to-cure-again" {
    title  = "Who fails once more has all of the time to cure again"
    events = [failure, notice, cure, failure, param.cure, notice, cure]
    expect = possible
  }
  requirement "no-termination-without-notice" {
    title   = "Nobody is terminated without notice"
    no      = "party-in-breach.out"
    without = "happened(notice)"
  }
}
