party "seller" {
  title = "Seller"

  state "S0" { title = "not ready" }
  state "S1" { title = "ready to sell" }
  state "S2" { title = "sale started" }
  state "S3" { title = "sale finished" }

  flag "GAV" { title = "goods available" }

  transition "ready" {
    title = "the seller gets ready"
    from  = S0
    to    = S1
  }

  transition "SellerRFG_T" {
    title = "the seller answers a request with goods"
    from  = S1
    to    = S2
    set   = { GAV = true }
  }

  transition "SellerGAC_T" {
    title = "the seller learns that the goods were accepted"
    from  = S2
    to    = S3
  }

  transition "end" {
    title = "the seller closes the sale"
    from  = S3
    to    = S0
    set   = { GAV = false }
  }

  transition "SellerGAV_T" {
    title = "the seller has goods available"
    when  = { GAV = true }
  }

  transition "SellerGAV_F" {
    title = "the seller has no goods available"
    when  = { GAV = false }
  }
}
