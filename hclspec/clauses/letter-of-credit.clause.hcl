template "letter-of-credit" {
  title       = "A bank pays against documents"
  description = "The bank opens a credit for the buyer. Who presents the bill of lading in time is paid by the bank, which releases it to the buyer for reimbursement."
  parameter "days" {
    type        = duration
    default     = 5
    description = "how long the credit is open"
  }

  party "buyer" {
    state "ordering" { title = "has ordered" }
    state "covered" { title = "has a credit opened" }
    state "reimbursed" { title = "has reimbursed the bank" }
    transition "apply" {
      from = ordering
      to   = covered
    }
    transition "reimburse" {
      from = covered
      to   = reimbursed
    }
  }
  party "seller" {
    state "waiting" { title = "waits for a credit" }
    state "assured" { title = "has a credit" }
    state "shipped" { title = "has shipped" }
    state "paid" { title = "is paid" }
    transition "be-advised" {
      from = waiting
      to   = assured
    }
    transition "ship" {
      from = assured
      to   = shipped
    }
    transition "present" {
      from = shipped
      to   = paid
    }
  }
  party "bank" {
    state "uncommitted" { title = "has opened no credit" }
    state "committed" { title = "has opened the credit" }
    state "out-of-pocket" {
      title   = "has paid the seller"
      exposed = true
    }
    state "whole" { title = "is reimbursed" }
    transition "open" {
      from = uncommitted
      to   = committed
    }
    transition "pay" {
      from = committed
      to   = out-of-pocket
    }
    transition "release" {
      from = out-of-pocket
      to   = whole
    }
  }
  document "bill" {
    title = "the bill of lading"
    moves = {
      shipment      = { to = seller }
      presentation  = { from = seller, to = bank }
      reimbursement = { from = bank, to = buyer }
    }
  }
  event "opening" {
    title = "the bank opens the credit and advises the seller"
    sync = {
      buyer  = apply
      seller = be-advised
      bank   = open
    }
  }
  event "shipment" {
    title = "the goods are shipped against a bill of lading"
    sync  = { seller = ship }
  }
  event "presentation" {
    title  = "the seller presents the bill of lading, and is paid"
    within = { opening = param.days }
    sync = {
      seller = present
      bank   = pay
    }
  }
  event "reimbursement" {
    title = "the buyer reimburses the bank, and gets the bill of lading"
    sync = {
      buyer = reimburse
      bank  = release
    }
  }
  obligation "reimburse" {
    title        = "reimburse the bank"
    bearer       = buyer
    counterparty = bank
    when         = presentation
    fulfil       = reimbursement
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
    no      = "seller.shipped"
    without = "bank.committed"
  }
  requirement "documents-for-money" {
    title   = "The buyer has the bill of lading only once the bank is reimbursed"
    no      = "bill.buyer"
    without = "bank.whole"
  }
}
