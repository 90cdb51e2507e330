package reduce

import "fmt"

// A Rule is a rule of reduction.
type Rule int

const (
	ConstantPlace Rule = iota
	DeadTransition
	DuplicatePlace
	ImpliedRead
	ImplicitPlace
	SameTransition
	Terminating
	Relevance
	LesserTransition
	SequelPlace
	PreludePlace
	ChoicePlace
	FreePlace
	rules
)

// about has the name of each rule, and the needs of formulas that forbid it. The code of each rule says why.
var about = [rules]struct {
	name   string
	breaks Needs
}{
	ConstantPlace:    {"constant places", 0},
	DeadTransition:   {"dead transitions", 0},
	DuplicatePlace:   {"places equal to another", 0},
	ImpliedRead:      {"implied reads", 0},
	ImplicitPlace:    {"implicit places", 0},
	SameTransition:   {"transitions like another", 0},
	Terminating:      {"transitions that end and concern nothing", Next},
	Relevance:        {"transitions that concern nothing", Next | Forever | Dead},
	LesserTransition: {"transitions that do less than another", Next | Nested | Forever | Dead},
	SequelPlace:      {"places with one consumer that waits for nothing else", Next},
	PreludePlace:     {"places whose producers compete with nothing", Next},
	ChoicePlace:      {"places whose consumers wait for nothing else", Next | Nested},
	FreePlace:        {"places whose producers make nothing else", Next | Nested | Forever | Dead},
}

func (r Rule) String() string { return about[r].name }

// A Count is the number of times a rule was applied.
type Count struct {
	Rule  Rule
	Times int
}

func (c Count) String() string { return fmt.Sprintf("%d %v", c.Times, c.Rule) }
