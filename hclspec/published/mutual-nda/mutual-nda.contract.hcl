# Common Paper's Mutual NDA, Version 1.0 (github.com/CommonPaper/Mutual-NDA, CC BY 4.0), in our own words, with the terms that its cover page proposes: a
# year for each. Clauses are those of its Standard Terms. "Promptly" (6) is taken as a quarter at most. Left out: the exceptions of 3, to whom else information may be
# passed on (2), and 7 to 11.
contract "mutual-nda" {
  title = "Mutual NDA"
}

variable "term" {
  type        = string
  default     = "1 year"
  description = "the MNDA Term, from the Effective Date"
}

variable "confidentiality" {
  type        = string
  default     = "1 year"
  description = "the Term of Confidentiality, from the Effective Date"
}

party "first-party" { title = "Party 1" }
party "second-party" { title = "Party 2" }

net "mnda" {
  title = "the MNDA"
  state "unsigned" { title = "not signed" }

  state "running" {
    title = "in its term"
    since = effective
  }

  state "over" {
    title = "over"
    since = [expiry, termination-by-1, termination-by-2]
  }
}

event "effective" {
  title  = "both sign the cover page"
  clause = "1, 5"
  by     = [first-party, second-party]
}

event "expiry" {
  title      = "the MNDA Term ends"
  clause     = "5"
  by         = [first-party, second-party]
  not_before = { effective = var.term }
  only_while = mnda.running
}

event "termination-by-1" {
  title      = "Party 1 terminates the MNDA by notice"
  clause     = "5"
  by         = first-party
  only_while = mnda.running
}

event "termination-by-2" {
  title      = "Party 2 terminates the MNDA by notice"
  clause     = "5"
  by         = second-party
  only_while = mnda.running
}

phase "from-1" {
  title    = "what Party 1 discloses"
  template = information
  roles = {
    discloser = first-party
    receiver  = second-party
  }
}

phase "from-2" {
  title    = "what Party 2 discloses"
  template = information
  roles = {
    discloser = second-party
    receiver  = first-party
  }
}

requirement "free-to-leave" {
  title  = "Either party may terminate as long as the MNDA runs"
  clause = "5"
  ctl    = "AG (mnda.running -> enabled(termination-by-1) && enabled(termination-by-2))"
}

requirement "the-term-ends" {
  title    = "The MNDA does not run for ever"
  clause   = "5"
  after    = "happened(effective)"
  sometime = "mnda.over"
  assuming = progress(first-party)
}

scenario "terminated-early" {
  title  = "Terminated in the first quarter: what was disclosed is still protected, and given back on request"
  clause = "5, 6"
  events = [effective, from-1.disclosure, termination-by-2, from-1.request, "1 quarter"]
  breach = second-party
}
