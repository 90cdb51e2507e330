# L4's promissory note (github.com/smucclaw/l4-ide, jl4/examples/legal/promissory-note.l4, Apache-2.0), in our own words: USD 25,000 at 15 % a year, repaid in
# monthly instalments of USD 2,256.46. Who pays within 10 days of the day on which an instalment is due pays no more than that; until 30 days after it, 5 % on top;
# later, all that is outstanding is due. There the last is what is left of the note, as here; but there one late payment with its penalty settles the note,
# since nothing follows it. Here the note goes on.
contract "promissory-note" {
  title    = "Promissory note"
  calendar = { month = "30 days" }
}

variable "instalments" {
  type        = number
  default     = 3
  description = "how many instalments there are"

  validation {
    condition     = var.instalments >= 1 && var.instalments <= 60
    error_message = "There are 1 to 60 instalments."
  }
}

party "borrower" { title = "The Borrower" }
party "lender" { title = "The Lender" }

event "disbursement" {
  title = "the lender pays out the principal"
  by    = lender
}

obligation "instalment" {
  title        = "pay an instalment"
  bearer       = borrower
  counterparty = lender
  when         = disbursement
  times        = var.instalments
  every        = "1 month"
  within       = "40 days"
  until        = balance.owed
  reparation   = penalty
}

obligation "penalty" {
  title        = "pay an instalment with 5 % on top"
  bearer       = borrower
  counterparty = lender
  within       = "20 days"
  until        = balance.owed
}

obligation "balance" {
  title        = "pay all that is outstanding"
  bearer       = borrower
  counterparty = lender
  when         = penalty.breached
}

scenario "two-on-time" {
  title  = "Two instalments paid when they are due leave nothing to be paid before the third"
  events = [disbursement, "30 days", instalment, "30 days", instalment]
  ends   = "instalment[1].fulfilled && instalment[2].fulfilled && !penalty[1].owed && !penalty[2].owed"
}

scenario "forty-days" {
  title  = "On the fortieth day nothing is late yet"
  events = [disbursement, "39 days", instalment]
  ends   = "instalment[1].fulfilled"
}

scenario "paid-late" {
  title  = "After the days of grace the instalment is owed with 5 % on top (published trace 2)"
  events = [disbursement, "40 days"]
  ends   = "instalment[1].breached && penalty[1].owed"
}

scenario "late-once" {
  title  = "One late payment does not make the rest due"
  events = [disbursement, "40 days", penalty, instalment]
  ends   = "penalty[1].fulfilled && instalment[2].fulfilled && !balance.owed"
}

scenario "sixty-days" {
  title  = "Sixty days without a payment: everything is due"
  events = [disbursement, "60 days"]
  ends   = "balance.owed"
}

requirement "kept" {
  title    = "Who keeps the note pays every instalment, and no penalty (published trace 1)"
  over     = ideal
  sometime = "all i in instalment: i.fulfilled"
  after    = "happened(disbursement)"
}

requirement "default-accelerates" {
  title    = "Who does not pay an instalment with its penalty either owes everything"
  whenever = "some p in penalty: p.breached"
  follows  = "balance.owed || balance.fulfilled"
}

requirement "nothing-twice" {
  title = "Once everything is due no single instalment is owed"
  never = "balance.owed && (some i in instalment: i.owed)"
}

requirement "no-penalty-beside" {
  title = "Once everything is due no penalty is owed"
  never = "balance.owed && (some p in penalty: p.owed)"
}
