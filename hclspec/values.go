package hclspec

import (
	"github.com/zclconf/go-cty/cty"
)

// Values are what variables are given from outside the contract, by the name of the variable. Names
// that a contract does not declare are no mistake of that contract.
type Values map[string]Value

// A Value is text that a person typed, to be read as the variable's type says, or a value read from
// a file of values.
type Value struct {
	Text  string
	From  string // who says so, as messages name it: --var, a file, the environment
	value cty.Value
}
