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
    counter "paid" {
      title = "instalments paid"
      to    = param.number
      changes = {
        instalment = paid + 1
        rest       = param.number
      }
    }
  }
  party "creditor" {}
  event "agreement" {
    title = "the instalments are agreed"
    by    = [debtor, creditor]
  }
  obligation "instalment" {
    title        = "pay the next instalment"
    bearer       = debtor
    counterparty = creditor
    when         = agreement
    times        = param.number
    every        = param.interval
    within       = param.interval
    until        = rest.owed
  }
  obligation "rest" {
    title        = "pay all that is left"
    bearer       = debtor
    counterparty = creditor
    when         = instalment.breached
    within       = param.grace
  }
  scenario "late" {
    title  = "Who is late with an instalment owes all that is left"
    events = [agreement, param.interval]
    ends   = "rest.owed"
  }
  scenario "next-by-itself" {
    title  = "The next instalment falls due by itself, and then it is late, too"
    events = [agreement, instalment, param.interval, param.interval]
    ends   = "rest.owed || debtor.paid == ${param.number}"
  }
  scenario "one-at-a-time" {
    title  = "The next instalment is owed once its time has come"
    events = [agreement, instalment, instalment]
    expect = impossible
  }
  requirement "paid-means-all" {
    title = "Who has paid the rest has paid every instalment"
    ctl   = "AG (rest.fulfilled -> debtor.paid == ${param.number})"
  }
  requirement "can-settle" {
    title = "As long as the debtor is not in breach for good, it can settle"
    ctl   = "AG (!rest.breached -> EF debtor.paid == ${param.number})"
  }
}
