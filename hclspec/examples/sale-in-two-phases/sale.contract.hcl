# Both phases of the sale of Daskalopulu's "Model Checking Contractual Protocols" (section 2.1), with as many purchasers as
# there are (section 2.4): goods go from the seller to every purchaser, then funds from all of them to the seller. The
# second phase has the form of the first, so the form is written once. How many purchasers there are is left open:
# redline check --var purchasers=3.
contract "sale-in-two-phases" {
  title = "Sale of goods, delivery and payment${var.purchasers > 1 ? ", ${var.purchasers} purchasers" : ""}"
}

variable "purchasers" {
  type        = number
  default     = 1
  description = "how many purchasers there are"

  validation {
    condition     = var.purchasers > 0
    error_message = "A sale needs a purchaser."
  }
}

locals {
  purchaser = var.purchasers > 1 ? "a purchaser" : "the purchaser"
}

party "seller" { title = "Seller" }

party "purchaser" {
  title = var.purchasers > 1 ? "Purchaser ${count.index + 1}" : "Purchaser"
  count = var.purchasers
}

template "exchange" {
  title       = "The giver hands something over when the taker has asked for it and the giver has it"
  description = "There may be several givers or several takers: then it begins, and is accepted, with all of them together."

  parameter "what" {}
  parameter "giver" {}
  parameter "taker" {}

  party "giver" {
    state "S0" { title = "not ready" }
    state "S1" { title = "ready to give ${param.what}" }
    state "S2" { title = "handing over ${param.what}" }
    state "S3" { title = "${param.what} handed over" }

    flag "AV" { title = "${param.what} available" }

    transition "ready" {
      title = "${param.giver} gets the ${param.what} ready"
      from  = S0
      to    = S1
    }

    transition "answer" {
      from = S1
      to   = S2
      set  = { AV = true }
    }

    transition "accepted" {
      from = S2
      to   = S3
    }

    transition "end" {
      title = "${param.giver} closes the exchange of ${param.what}"
      from  = S3
      to    = S0
      set   = { AV = false }
    }

    transition "available" {
      when = { AV = true }
    }

    transition "unavailable" {
      when = { AV = false }
    }
  }

  party "taker" {
    state "P0" { title = "not ready" }
    state "P1" { title = "${param.what} requested" }
    state "P2" { title = "taking ${param.what}" }
    state "P3" { title = "${param.what} accepted" }

    transition "ready" {
      title = "${param.taker} requests ${param.what}"
      from  = P0
      to    = P1
    }

    transition "request" {
      from = P1
      to   = P1
    }

    transition "start" {
      from = P1
      to   = P2
    }

    transition "take" {
      title = "${param.taker} takes the ${param.what}"
      from  = P2
      to    = P3
    }

    transition "acceptance" {
      from = P3
      to   = P3
    }

    transition "done" {
      from = P3
      to   = P0
    }
  }

  event "answered" {
    title = "the request for ${param.what} is answered"
    sync = {
      giver = all(answer)
      taker = all(request)
    }
  }

  event "started" {
    title = "${param.taker} sees that ${param.what} are available"
    sync = {
      giver = all(available)
      taker = each(start)
    }
  }

  event "accepted" {
    title = "the ${param.what} are accepted"
    sync = {
      giver = all(accepted)
      taker = all(acceptance)
    }
  }

  event "finished" {
    title = "${param.taker} sees that no more ${param.what} are available"
    sync = {
      giver = all(unavailable)
      taker = each(done)
    }
  }

  requirement "discharge" {
    title = "The exchange of ${param.what} can always come back to its start"
    ctl   = "AG EF ((all g in giver: g.S0) && (all t in taker: t.P0))"
  }

  requirement "not-withdrawn" {
    title = "The ${param.what}, once available, stay so until they have been accepted"
    ctl   = "all g in giver: all t in taker: AG (g.AV -> A[g.AV W t.P3])"
  }
}

phase "goods" {
  template = exchange
  roles = {
    giver = seller
    taker = purchaser
  }
  with = {
    what  = "goods"
    giver = "the seller"
    taker = local.purchaser
  }
}

phase "funds" {
  template = exchange
  roles = {
    giver = purchaser
    taker = seller
  }
  with = {
    what  = "funds"
    giver = local.purchaser
    taker = "the seller"
  }
  after = goods.finished
}

requirement "goods-before-funds" {
  title = "No funds are handed over before every purchaser has accepted the goods"
  ctl   = "all p in goods.purchaser: A[!funds.seller.P3 W p.P3]"
}
