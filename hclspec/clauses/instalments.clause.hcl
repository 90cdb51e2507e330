template "instalments" {
  title       = "The price is paid in instalments"
  description = "Each instalment is due some time after the one before. A late one makes all that is left due at once."
  parameter "number" {
    type        = number
    default     = 3
    description = "how many instalments"
  }
  parameter "interval" {
    type        = duration
    default     = 2
    description = "how long from one instalment to the next"
  }
  parameter "grace" {
    type        = duration
    default     = 2
    description = "how long there is to pay all that is left"
  }

  party "debtor" {
    state "free" { title = "owes nothing yet" }
    state "paying" { title = "pays in instalments" }
    state "settled" { title = "has paid all" }
    counter "paid" {
      title = "instalments paid"
      to    = param.number
    }
    transition "agree" {
      from = free
      to   = paying
    }
    transition "pay" {
      from    = paying
      to      = paying
      require = paid < param.number - 1
      set     = { paid = paid + 1 }
    }
    transition "pay-last" {
      from    = paying
      to      = settled
      require = paid == param.number - 1
      set     = { paid = param.number }
    }
    transition "pay-rest" {
      from = paying
      to   = settled
      set  = { paid = param.number }
    }
  }
  party "creditor" {
    state "free" { title = "has agreed to nothing" }
    state "waiting" { title = "waits for the price" }
    state "paid" { title = "has the price" }
    transition "agree" {
      from = free
      to   = waiting
    }
    transition "take" { read = [waiting] }
    transition "take-last" {
      from = waiting
      to   = paid
    }
  }
  event "instalment" {
    title      = "an instalment is paid"
    only_while = next.owed
    sync = {
      debtor   = pay
      creditor = take
    }
  }
  event "last-instalment" {
    title      = "the last instalment is paid"
    only_while = next.owed
    sync = {
      debtor   = pay-last
      creditor = take-last
    }
  }
  event "acceleration" {
    title      = "all that is left is paid at once"
    only_while = rest.owed
    sync = {
      debtor   = pay-rest
      creditor = take-last
    }
  }
  event "agreement" {
    title = "the instalments are agreed"
    sync = {
      debtor   = agree
      creditor = agree
    }
  }
  event "due" {
    title      = "the next instalment falls due"
    only_while = next.fulfilled
    sync       = { creditor = take }
  }
  obligation "next" {
    title        = "pay the next instalment"
    bearer       = debtor
    counterparty = creditor
    when         = [agreement, due]
    fulfil       = [instalment, last-instalment]
    within       = param.interval
    reparation   = rest
  }
  obligation "rest" {
    title        = "pay all that is left"
    bearer       = debtor
    counterparty = creditor
    fulfil       = acceleration
    within       = param.grace
  }
  scenario "late" {
    title  = "Who is late with an instalment owes all that is left"
    events = [agreement, param.interval]
    ends   = "rest.owed"
  }
  requirement "settled-means-all" {
    title = "Who has settled has paid every instalment"
    ctl   = "AG (debtor.settled -> debtor.paid == ${param.number})"
  }
  requirement "can-settle" {
    title = "As long as the debtor is not in breach for good, it can settle"
    ctl   = "AG (!rest.breached -> EF debtor.settled)"
  }
}
