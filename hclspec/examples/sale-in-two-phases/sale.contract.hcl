# Both phases of the sale of Daskalopulu's "Model Checking Contractual Protocols" (section 2.1): goods go
# from the seller to the purchaser, then funds from the purchaser to the seller. The second phase has the
# form of the first, so the form is written once.
contract "sale-in-two-phases" {
  title = "Sale of goods, delivery and payment"
}

party "seller" { title = "Seller" }

party "purchaser" { title = "Purchaser" }

template "exchange" {
  title = "The giver hands something over when the taker has asked for it and the giver has it"

  parameter "what" { default = "goods" }

  party "giver" {
    state "S0" { title = "not ready" }
    state "S1" { title = "ready to give ${param.what}" }
    state "S2" { title = "handing over ${param.what}" }
    state "S3" { title = "${param.what} handed over" }

    flag "AV" { title = "${param.what} available" }

    transition "ready" {
      title = "the giver of ${param.what} gets ready"
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
      title = "the giver of ${param.what} closes"
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
      title = "the taker requests ${param.what}"
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
      title = "the taker takes the ${param.what}"
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
      giver = answer
      taker = request
    }
  }

  event "started" {
    title = "the taker sees that ${param.what} are available"
    sync = {
      giver = available
      taker = start
    }
  }

  event "accepted" {
    title = "the ${param.what} are accepted"
    sync = {
      giver = accepted
      taker = acceptance
    }
  }

  event "finished" {
    title = "the taker sees that no more ${param.what} are available"
    sync = {
      giver = unavailable
      taker = done
    }
  }

  requirement "discharge" {
    title = "The exchange of ${param.what} can always come back to its start"
    ctl   = "AG EF (giver.S0 && taker.P0)"
  }

  requirement "not-withdrawn" {
    title = "What is available stays so until the taker has accepted it (${param.what})"
    ctl   = "AG (giver.AV -> A[giver.AV W taker.P3])"
  }
}

phase "goods" {
  template = exchange
  roles = {
    giver = seller
    taker = purchaser
  }
}

phase "funds" {
  template = exchange
  roles = {
    giver = purchaser
    taker = seller
  }
  with  = { what = "funds" }
  after = goods.finished
}

requirement "goods-before-funds" {
  title = "No funds are handed over before goods have been accepted"
  ctl   = "A[!funds.seller.P3 W goods.purchaser.P3]"
}
