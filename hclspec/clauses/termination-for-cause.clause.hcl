template "termination-for-cause" {
  title       = "A breach that is not cured after notice ends the relation"
  description = "The aggrieved party gives notice of a breach. If it is not cured in time, that party may terminate."
  parameter "cure" {
    type        = duration
    default     = 3
    description = "how long after notice the breach can be cured"
  }

  party "party-in-breach" {
    state "sound" { title = "performs" }
    state "failing" { title = "fails to perform" }
    state "warned" { title = "has notice of its failure" }
    state "out" { title = "is terminated" }
    transition "fail" {
      from = sound
      to   = failing
    }
    transition "be-warned" {
      from = failing
      to   = warned
    }
    transition "cure" {
      from = warned
      to   = sound
    }
    transition "be-terminated" {
      from = warned
      to   = out
    }
  }
  party "aggrieved" {
    state "content" { title = "has no complaint" }
    state "notified" { title = "has given notice" }
    state "free" { title = "has terminated" }
    transition "notify" {
      from = content
      to   = notified
    }
    transition "be-cured" {
      from = notified
      to   = content
    }
    transition "terminate" {
      from = notified
      to   = free
    }
  }
  event "failure" {
    title = "a party fails to perform"
    sync  = { party-in-breach = fail }
  }
  event "notice" {
    title = "the other gives notice of the failure"
    sync = {
      party-in-breach = be-warned
      aggrieved       = notify
    }
  }
  event "cure" {
    title  = "the failure is cured"
    within = { notice = param.cure }
    sync = {
      party-in-breach = cure
      aggrieved       = be-cured
    }
  }
  event "termination" {
    title      = "the other terminates"
    not_before = { notice = param.cure }
    sync = {
      party-in-breach = be-terminated
      aggrieved       = terminate
    }
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
  requirement "no-termination-without-notice" {
    title   = "Nobody is terminated without notice"
    no      = "party-in-breach.out"
    without = "happened(notice)"
  }
  requirement "ends-for-both" {
    title = "Termination ends it for both"
    ctl   = "AG (party-in-breach.out <-> aggrieved.free)"
  }
}
