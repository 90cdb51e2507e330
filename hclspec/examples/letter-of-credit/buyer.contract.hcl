party "buyer" {
  title = "Buyer"

  place "waiting" {
    title  = "waiting"
    marked = true
  }

  place "notified" { title = "notified of arrival" }

  place "instructed" {
    title   = "has the bank paid"
    exposed = true
  }

  place "title" {
    document = title
    exposed  = true
  }

  place "goods" { title = "the goods" }

  transition "t4" {
    title   = "learns of arrival"
    consume = [waiting]
    produce = [notified]
  }

  transition "t5" {
    title   = "instructs the bank to pay"
    consume = [notified]
    produce = [instructed]
  }

  transition "t6" {
    title   = "gets title"
    consume = [instructed]
    produce = [title]
  }

  transition "t7" {
    title   = "takes the goods"
    consume = [title]
    produce = [goods]
  }
}
