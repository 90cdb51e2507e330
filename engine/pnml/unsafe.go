package pnml

import "errors"

// ErrNotOneSafe says that a net's text alone shows that a place would hold two tokens, or that an arc asks for them.
var ErrNotOneSafe = errors.New("not a one-safe net")
