party "purchaser" {
  title = "Purchaser"

  state "P0" { title = "not ready" }
  state "P1" { title = "goods requested" }
  state "P2" { title = "purchase started" }
  state "P3" { title = "goods accepted" }

  transition "ready" {
    title = "the purchaser gets ready and requests goods"
    from  = P0
    to    = P1
  }

  transition "PurchaserRFG_T" {
    title = "the purchaser's request stands"
    from  = P1
    to    = P1
  }

  transition "PurchaserGAV_T" {
    title = "the purchaser starts the purchase"
    from  = P1
    to    = P2
  }

  transition "take" {
    title = "the purchaser takes the goods"
    from  = P2
    to    = P3
  }

  transition "PurchaserGAC_T" {
    title = "the purchaser's acceptance stands"
    from  = P3
    to    = P3
  }

  transition "PurchaserGAV_F" {
    title = "the purchaser is done"
    from  = P3
    to    = P0
  }
}
