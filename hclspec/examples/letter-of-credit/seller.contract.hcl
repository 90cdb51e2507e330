party "seller" {
  title = "Seller"

  place "goods" {
    title  = "the goods"
    marked = true
  }

  place "title" {
    document = title
    marked   = true
  }

  place "dispatch_cert" {
    document = dispatch
    exposed  = true
  }

  place "awaiting_pay" {
    title   = "awaiting payment"
    exposed = true
  }

  place "paid" { title = "paid" }
  place "receipt" { document = receipt }
  place "done" { title = "done" }

  transition "t1" {
    title   = "hands over the goods"
    consume = [goods]
    produce = [dispatch_cert]
  }

  transition "t2" {
    title   = "presents the documents"
    consume = [dispatch_cert, title]
    produce = [awaiting_pay]
  }

  transition "t3" {
    title   = "is paid"
    consume = [awaiting_pay]
    produce = [paid]
  }

  transition "t8" {
    title   = "gets the receipt"
    consume = [paid]
    produce = [receipt]
  }

  transition "t9" {
    title   = "pays the carrier"
    consume = [receipt]
    produce = [done]
  }
}
