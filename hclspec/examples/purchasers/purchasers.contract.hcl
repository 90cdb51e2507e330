# The sale of goods of Daskalopulu's "Model Checking Contractual Protocols" with several purchasers (section 2.4): it starts
# when all of them are ready. How many there are is left open: redline check --var n=5.
contract "purchasers" {
  title       = "Sale of goods, delivery to ${var.n} ${var.n > 1 ? "purchasers" : "purchaser"}"
  description = "Goods change hands when every purchaser has asked for them and the seller has them."
  firing      = one
}

variable "n" {
  type        = number
  default     = 2
  description = "how many purchasers there are"

  validation {
    condition     = var.n > 0
    error_message = "A sale needs a purchaser."
  }
}

event "RFG" {
  title = "the seller answers the requests of all purchasers"
  sync = {
    seller    = SellerRFG_T
    purchaser = all(PurchaserRFG_T)
  }
}

event "P_GAV_T" {
  title = "purchaser ${count.index + 1} sees that goods are available"
  sync = {
    seller    = SellerGAV_T
    purchaser = each(PurchaserGAV_T)
  }
}

event "GAC" {
  title = "delivery is accepted by all purchasers"
  sync = {
    seller    = SellerGAC_T
    purchaser = all(PurchaserGAC_T)
  }
}

event "P_GAV_F" {
  title = "purchaser ${count.index + 1} sees that no more goods are available"
  sync = {
    seller    = SellerGAV_F
    purchaser = each(PurchaserGAV_F)
  }
}

requirement "discharge" {
  title = "The sale can always come back to its start"
  ctl   = "AG EF (seller.S0 && (all p in purchaser: p.P0))"
}

requirement "goods-only-on-request" {
  title = "The seller offers goods only when every purchaser is ready for them"
  ctl   = "AG ((!seller.GAV && EX seller.GAV) -> (all p in purchaser: p.P1))"
}

requirement "goods-not-withdrawn" {
  title = "Goods once available stay so until each purchaser has accepted them"
  ctl   = "all p in purchaser: AG (seller.GAV -> A[seller.GAV U p.P3])"
}

requirement "accept-only-available" {
  title = "Each purchaser accepts goods only while they are available"
  ctl   = "all p in purchaser: AG ((!p.P3 && EX p.P3) -> seller.GAV)"
}

requirement "nobody-is-forgotten" {
  title = "Each purchaser's request lasts until that purchaser's purchase starts, if it ever does"
  ctl   = "all p in purchaser: AG (p.P1 -> A[p.P1 W p.P2])"
}
