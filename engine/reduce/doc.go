// Package reduce makes a one-safe net smaller without changing the value of a formula in its initial marking, and gives runs of the
// smaller net back as runs of the original.
//
// Which rules may be used depends on what the formula needs (needSet): single steps (EX, AX), paths within paths, maximal paths (AF, EG,
// A[ U ], E[ W ]), dead ends. Paths are maximal and a dead end gets no loop, so that what goes on by itself for ever must stay where
// maximal paths count.
//
//	rule                                               keeps                                               in
//	constant places, dead transitions, implied reads   everything                                          known.go
//	places equal to another, implicit places           everything                                          known.go
//	transitions like another                           everything                                          transitions.go
//	places with one consumer that waits for no more    all but single steps                                places.go
//	places whose producers compete with nothing        all but single steps                                places.go
//	transitions that end and concern nothing           all but single steps                                relevance.go
//	places whose consumers wait for nothing else       one path operator over state predicates; dead ends  places.go
//	transitions that concern nothing                   EF, AG, E[ U ], A[ W ], nested too                  relevance.go
//	transitions that do less than another              one of these over state predicates                  transitions.go
//	places whose producers make nothing else           one of these over state predicates                  places.go
//
// A transition that changes nothing concerns nothing. A place that only gets tokens is implicit.
//
// Net and formula change together. Rules are applied round by round until none fits. After each round, atoms whose value has become known
// simplify the formula, which may allow further rules. A run of the smaller net is fired again in the original, with the steps that rules have
// merged or omitted.
package reduce
