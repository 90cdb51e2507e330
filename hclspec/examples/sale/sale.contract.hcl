# The sale of goods of Daskalopulu's "Model Checking Contractual Protocols", phase 1 (figures 1, 2, 4, 5, 8 and 9).
# Each party's view is a file of its own, so that each can have its own owner.
contract "sale" {
  title       = "Sale of goods, delivery"
  description = "Goods change hands when the purchaser has asked for them and the seller has them."
  firing      = one
}

event "RFG" {
  title = "the seller answers the request for goods"
  sync = {
    seller    = SellerRFG_T
    purchaser = PurchaserRFG_T
  }
}

event "P_GAV_T" {
  title = "the purchaser sees that goods are available"
  sync = {
    seller    = SellerGAV_T
    purchaser = PurchaserGAV_T
  }
}

event "GAC" {
  title = "delivery is accepted"
  sync = {
    seller    = SellerGAC_T
    purchaser = PurchaserGAC_T
  }
}

event "P_GAV_F" {
  title = "the purchaser sees that no more goods are available"
  sync = {
    seller    = SellerGAV_F
    purchaser = PurchaserGAV_F
  }
}

requirement "discharge" {
  title = "The sale can always come back to its start"
  ctl   = "AG EF (seller.S0 && purchaser.P0)"
}

requirement "goods-only-on-request" {
  title = "The seller offers goods only when the purchaser is ready for them"
  ctl   = "AG ((!seller.GAV && EX seller.GAV) -> purchaser.P1)"
}

requirement "goods-not-withdrawn" {
  title = "Goods once available stay so until the purchaser has accepted them"
  ctl   = "AG (seller.GAV -> A[seller.GAV U purchaser.P3])"
}

requirement "accept-only-available" {
  title = "The purchaser accepts goods only while they are available"
  ctl   = "AG ((!purchaser.P3 && EX purchaser.P3) -> seller.GAV)"
}
