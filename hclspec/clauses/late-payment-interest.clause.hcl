template "late-payment-interest" {
  title       = "Late payment bears interest"
  description = "A sum is due within a time. Each further period that passes before it is paid adds a share of it as interest, up to a cap."
  parameter "days" {
    type        = duration
    default     = 2
    description = "how long there is to pay the sum"
  }
  parameter "rate" {
    type        = number
    default     = 100
    description = "interest for a period, in hundredths of a per cent of the sum"
  }
  parameter "cap" {
    type        = number
    default     = 300
    description = "all interest at most, in hundredths of a per cent of the sum"
  }

  party "debtor" {
    state "owing" { title = "owes the sum" }
    state "settled" { title = "has paid the sum and the interest" }
    counter "interest" {
      title = "periods of interest"
      to    = floor(param.cap / param.rate)
    }
    transition "pay" {
      from = owing
      to   = settled
    }
    transition "accrue" {
      read    = [owing]
      require = param.rate * (interest + 1) <= param.cap
      set     = { interest = interest + 1 }
    }
  }
  party "creditor" {
    state "waiting" { title = "waits for the sum" }
    state "paid" { title = "is paid" }
    transition "be-paid" {
      from = waiting
      to   = paid
    }
    transition "note" { read = [waiting] }
  }
  event "payment" {
    title = "the sum is paid with the interest on it"
    sync = {
      debtor   = pay
      creditor = be-paid
    }
  }
  event "period" {
    title      = "a period of interest is added"
    only_while = pay.breached
    sync = {
      debtor   = accrue
      creditor = note
    }
  }
  obligation "pay" {
    title        = "pay the sum"
    bearer       = debtor
    counterparty = creditor
    fulfil       = payment
    within       = param.days
    reparation   = pay-with-interest
  }
  obligation "pay-with-interest" {
    title        = "pay the sum with interest"
    bearer       = debtor
    counterparty = creditor
    fulfil       = payment
  }
  scenario "late" {
    title  = "Who pays late pays the interest, too"
    events = [param.days, period, payment]
    ends   = "debtor.interest == 1 && pay-with-interest.fulfilled"
  }
  requirement "no-interest-in-time" {
    title   = "Interest is due only on what is late"
    no      = "debtor.interest >= 1"
    without = "pay.breached"
  }
  requirement "interest-is-capped" {
    title = "Interest never goes past the cap"
    ctl   = "AG (${param.rate} * debtor.interest <= ${param.cap})"
  }
  requirement "always-payable" {
    title = "The sum can be paid at any time"
    ctl   = "AG EF debtor.settled"
  }
}
