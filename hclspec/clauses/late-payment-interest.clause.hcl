template "late-payment-interest" {
  title       = "Late payment bears interest"
  description = "A sum is due within a time. Each further period that passes before it is paid adds a share of it as interest, up to a cap."
  parameter "days" {
    type        = duration
    default     = 2
    description = "how long there is to pay the sum"
  }
  parameter "period" {
    type        = duration
    default     = 1
    description = "how long a period is for which interest is added"
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

  party "creditor" {}
  party "debtor" {
    counter "interest" {
      title   = "periods of interest"
      to      = floor(param.cap / param.rate)
      changes = { period = interest + 1 }
    }
  }
  event "payment" {
    title = "the sum is paid with the interest on it"
    by    = debtor
  }
  event "period" {
    title      = "interest is added for another period"
    after      = { any(pay.breached, period) = param.period }
    only_while = [pay-with-interest.owed, debtor.interest < floor(param.cap / param.rate)]
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
    title  = "Who pays a period late pays interest for it, too"
    events = [param.days, param.period, payment]
    ends   = "debtor.interest == 1 && pay-with-interest.fulfilled"
  }
  scenario "each-period-takes-its-time" {
    title  = "Two periods are not over at once"
    events = [param.days, param.period, period, period]
    expect = impossible
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
    ctl   = "AG EF (pay.fulfilled || pay-with-interest.fulfilled)"
  }
}
