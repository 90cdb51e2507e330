# Figure 11 of Daskalopulu's "Model Checking Contractual Protocols", after Lee: a sale with a
# carrier and a letter of credit. The nine events are the nine transactions listed there.
contract "letter-of-credit" {
  title = "Sale with carrier and letter of credit"
  final = local.complete
}

locals {
  complete = "seller.done && carrier.done && bank.done && buyer.goods"
}

event "t1" {
  title = "the goods go to the carrier, against a certificate of dispatch"
  sync = {
    seller  = t1
    carrier = t1
  }
}

event "t2" {
  title = "the seller presents the documents to the bank"
  sync = {
    seller = t2
    bank   = t2
  }
}

event "t3" {
  title = "the bank pays the seller"
  sync = {
    seller = t3
    bank   = t3
  }
}

event "t4" {
  title = "the carrier notifies the buyer of arrival"
  sync = {
    carrier = t4
    buyer   = t4
  }
}

event "t5" {
  title = "the buyer has the bank paid, with interest"
  sync = {
    bank  = t5
    buyer = t5
  }
}

event "t6" {
  title = "the bank sends the buyer the certificate of title"
  sync = {
    bank  = t6
    buyer = t6
  }
}

event "t7" {
  title = "the buyer gets the goods for title and receipt"
  sync = {
    carrier = t7
    buyer   = t7
  }
}

event "t8" {
  title = "the carrier gives the seller the receipt"
  sync = {
    seller  = t8
    carrier = t8
  }
}

event "t9" {
  title = "the seller pays the carrier"
  sync = {
    seller  = t9
    carrier = t9
  }
}

requirement "every-run-completes" {
  title = "Every run comes to completion"
  ctl   = "AF (${local.complete})"
}

requirement "every-state-can-complete" {
  title = "From every state completion can be reached"
  ctl   = "AG EF (${local.complete})"
}

requirement "documents-before-payment" {
  title = "The documents reach the bank before the bank pays (t2 before t3)"
  ctl   = "A[!bank.out_of_pocket W bank.docs]"
}

requirement "bank-pays-against-documents" {
  title = "The bank pays only while it holds the documents"
  ctl   = "AG ((!bank.out_of_pocket && EX bank.out_of_pocket) -> bank.docs)"
}

requirement "goods-only-with-title" {
  title = "The buyer takes the goods only with title to them"
  ctl   = "AG ((!buyer.goods && EX buyer.goods) -> buyer.title)"
}

requirement "carrier-paid-after-receipt" {
  title = "The carrier is paid only after the receipt has reached the seller"
  ctl   = "AG (EX carrier.done -> seller.receipt)"
}

requirement "one-holder-of-title" {
  title = "Title is always held by some party; that two never do is checked without asking"
  ctl   = "AG !title.nobody"
}

requirement "bank-made-good" {
  title = "The bank, once out of pocket, is always made good"
  ctl   = "AG (bank.out_of_pocket -> AF bank.reimbursed)"
}

requirement "bank-lends" {
  title = "The bank can come to be out of pocket"
  ctl   = "EF bank.out_of_pocket"
}
