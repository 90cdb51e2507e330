# Figure 10: the state model on which u and U differ. q holds in A and B, r in C; C is a dead end.
# On the run that stays in B for ever, q stays true and r never comes.
contract "figure-10" {
  title = "Until that need not come, and until that must"
}

party "figure" {
  state "A" {}
  state "B" {}
  state "C" {}

  transition "a-b" {
    from = A
    to   = B
  }

  transition "a-c" {
    from = A
    to   = C
  }

  transition "stay" {
    from = B
    to   = B
  }

  transition "b-c" {
    from = B
    to   = C
  }
}

locals {
  q = "(figure.A | figure.B)"
  r = "figure.C"
}

requirement "q-Au-r" {
  title  = "On all maximal paths q holds until r, which need not come"
  table1 = "${local.q} Au ${local.r}"
}

requirement "not-q-AU-r" {
  title  = "Not on all maximal paths does r come"
  table1 = "!(${local.q} AU ${local.r})"
}

requirement "q-EU-r" {
  title  = "On some path q holds until r, and r comes"
  table1 = "${local.q} EU ${local.r}"
}

accept "idle-self-loop" {
  on     = figure.stay
  reason = "The figure is about the run that stays in B for ever."
}
