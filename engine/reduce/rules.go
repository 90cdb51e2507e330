package reduce

import "fmt"

// A Rule of reduction.
type Rule int

const (
	ConstantPlace Rule = iota
	DeadTransition
	TwinPlace
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

// Each rule and what a formula must not need for it. Why is said where the rule is.
var about = [rules]struct {
	name   string
	breaks Needs
}{
	ConstantPlace:    {"constant places", 0},
	DeadTransition:   {"dead transitions", 0},
	TwinPlace:        {"places equal to another", 0},
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

// A Count says how often a rule was applied.
type Count struct {
	Rule  Rule
	Times int
}

func (c Count) String() string { return fmt.Sprintf("%d %v", c.Times, c.Rule) }
