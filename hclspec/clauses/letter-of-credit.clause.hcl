template "letter-of-credit" {
  title       = "A bank pays against documents"
  description = "The bank opens a credit for the buyer. Who presents the bill of lading in time is paid by the bank, which releases it to the buyer for reimbursement."
  parameter "days" {
    type        = duration
    default     = 5
    description = "how long the credit is open"
  }

  party "buyer" {}
  party "seller" {}
  party "bank" {
    state "uncommitted" { title = "has opened no credit" }
    state "committed" {
      title = "has opened the credit"
      since = opening
    }
    state "out-of-pocket" {
      title   = "has paid the seller"
      exposed = true
      since   = presentation
    }
    state "whole" {
      title = "is reimbursed"
      since = reimburse
    }
  }
  document "bill" {
    title = "the bill of lading"
    moves = {
      shipment     = { to = seller }
      presentation = { from = seller, to = bank }
      reimburse    = { from = bank, to = buyer }
    }
  }
  event "opening" {
    title = "the bank opens the credit and advises the seller"
    by    = [buyer, bank]
  }
  event "shipment" {
    title      = "the goods are shipped against a bill of lading"
    by         = seller
    only_while = bank.committed
  }
  event "presentation" {
    title  = "the seller presents the bill of lading, and is paid"
    by     = [seller, bank]
    within = { opening = param.days }
  }
  obligation "reimburse" {
    title        = "reimburse the bank, and get the bill of lading"
    bearer       = buyer
    counterparty = bank
    when         = presentation
  }
  scenario "too-late" {
    title  = "Once the credit is closed documents are not paid any more"
    events = [opening, shipment, param.days, presentation]
    expect = impossible
  }
  requirement "no-payment-without-documents" {
    title = "The bank is out of pocket only while it has the bill of lading"
    ctl   = "AG (bank.out-of-pocket -> bill.bank)"
  }
  requirement "no-shipment-without-credit" {
    title   = "The seller ships only with a credit"
    no      = "happened(shipment)"
    without = "bank.committed"
  }
  requirement "documents-for-money" {
    title   = "The buyer has the bill of lading only once the bank is reimbursed"
    no      = "bill.buyer"
    without = "bank.whole"
  }
}
