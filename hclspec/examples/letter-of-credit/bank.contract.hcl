party "bank" {
  title = "Bank"

  place "open" {
    title  = "credit open"
    marked = true
  }

  place "docs" { document = dispatch }
  place "title" { document = title }

  place "out_of_pocket" {
    title   = "out of pocket"
    exposed = true
  }

  place "reimbursed" { title = "reimbursed" }
  place "done" { title = "done" }

  transition "t2" {
    title   = "takes the documents"
    consume = [open]
    produce = [docs, title]
  }

  transition "t3" {
    title   = "pays the seller"
    consume = [docs]
    produce = [out_of_pocket]
  }

  transition "t5" {
    title   = "is reimbursed"
    consume = [out_of_pocket]
    produce = [reimbursed]
  }

  transition "t6" {
    title   = "sends title to the buyer"
    consume = [reimbursed, title]
    produce = [done]
  }
}
