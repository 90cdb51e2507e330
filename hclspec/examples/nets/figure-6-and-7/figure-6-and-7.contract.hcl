# Figure 6: the nets A and B, and the event x that synchronises a1 with b1. Figure 7 is their
# composition, which redline makes: "redline graph --of composed" draws it.
contract "figure-6-and-7" {
  title = "Two nets and their composition"
}

net "A" {
  place "pa1" { marked = true }
  place "pa2" {}

  transition "a1" {
    consume = [pa1]
    produce = [pa2]
  }
}

net "B" {
  place "pb1" { marked = true }
  place "pb2" {}

  transition "b1" {
    consume = [pb1]
    produce = [pb2]
  }

  transition "b2" {
    consume = [pb2]
    produce = [pb1]
  }
}

event "x" {
  sync = {
    A = a1
    B = b1
  }
}

requirement "together" {
  title = "a1 and b1 happen at one moment"
  ctl   = "A[A.pa1 && B.pb1 U A.pa2 && B.pb2]"
}

requirement "ends" {
  title = "Every run comes to rest with A moved and B back"
  ctl   = "AF (A.pa2 && B.pb1 && AX false)"
}
