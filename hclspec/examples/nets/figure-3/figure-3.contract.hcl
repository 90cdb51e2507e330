# Figure 3: one transition with preconditions p1, p2 and postconditions p1, p3.
# The place p1 is both consumed and produced, so it is only tested; after t nothing can fire.
contract "figure-3" {
  title = "A net with three places and one transition"
}

net "n" {
  place "p1" { marked = true }
  place "p2" { marked = true }
  place "p3" {}

  transition "t" {
    consume = [p1, p2]
    produce = [p1, p3]
  }
}

requirement "t-fires-once" {
  title = "t fires, and then nothing can"
  ctl   = "AF (n.p1 && n.p3 && !n.p2 && AX false)"
}
