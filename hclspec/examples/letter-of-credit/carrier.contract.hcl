party "carrier" {
  title = "Carrier"

  place "free" {
    title  = "free"
    marked = true
  }

  place "goods" { title = "the goods" }
  place "arrived" { title = "the goods, arrived" }

  place "receipt" {
    document = receipt
    exposed  = true
  }

  place "title" { document = title }

  place "awaiting_fee" {
    title   = "awaiting the fee"
    exposed = true
  }

  place "done" { title = "done" }

  transition "t1" {
    title   = "takes the goods"
    consume = [free]
    produce = [goods]
  }

  transition "t4" {
    title   = "notifies the buyer"
    consume = [goods]
    produce = [arrived]
  }

  transition "t7" {
    title   = "hands out the goods"
    consume = [arrived]
    produce = [receipt, title]
  }

  transition "t8" {
    title   = "passes on the receipt"
    consume = [receipt]
    produce = [awaiting_fee]
  }

  transition "t9" {
    title   = "is paid"
    consume = [awaiting_fee]
    produce = [done]
  }
}
