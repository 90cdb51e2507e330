package hclspec

// A Pattern is a requirement in attributes that read as a sentence, after Dwyer, Avrunin and Corbett (1999, Patterns in property
// specifications for finite-state verification). Its operands are formulas within the text of the Formula that has the pattern. engine/ctl
// defines its meaning.
type Pattern struct {
	Kind                 string    // the attribute that names it: never always sometime times whenever no
	Of, By               []Operand // By: what follows, or what comes first; several come one after the other
	AtMost               int       // of times
	After, Before, Until Operand   // none: zero. At most one of Before and Until
	Every                Operand   // p in purchaser; none: zero
}

// An Operand is the part Text[From:To] of the Formula.
type Operand struct{ From, To int }

// Given reports whether the operand is present.
func (o Operand) Given() bool { return o.To > o.From }
