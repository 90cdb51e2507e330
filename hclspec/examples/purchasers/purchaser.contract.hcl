party "purchaser" {
  title = "Purchaser ${count.index + 1}"
  count = var.n

  state "P0" { title = "not ready" }
  state "P1" { title = "goods requested" }
  state "P2" { title = "purchase started" }
  state "P3" { title = "goods accepted" }

  transition "ready" {
    title = "purchaser ${count.index + 1} gets ready and requests goods"
    from  = P0
    to    = P1
  }

  transition "PurchaserRFG_T" {
    title = "the request of purchaser ${count.index + 1} stands"
    from  = P1
    to    = P1
  }

  transition "PurchaserGAV_T" {
    title = "purchaser ${count.index + 1} starts the purchase"
    from  = P1
    to    = P2
  }

  transition "take" {
    title = "purchaser ${count.index + 1} takes the goods"
    from  = P2
    to    = P3
  }

  transition "PurchaserGAC_T" {
    title = "the acceptance of purchaser ${count.index + 1} stands"
    from  = P3
    to    = P3
  }

  transition "PurchaserGAV_F" {
    title = "purchaser ${count.index + 1} is done"
    from  = P3
    to    = P0
  }
}
