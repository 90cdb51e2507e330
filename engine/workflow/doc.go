// Package workflow checks a net on its own: is it one-safe, where are its dead ends, what can never happen; and, where it is a
// workflow net, whether it is sound.
//
//	Recognize  is it a workflow net, or what does it lack?
//	Explicit   the checks over states one by one
//	Symbolic   the same over decision diagrams
//	Report     what they found, with runs that package petri has fired again
//
// The checks are written once over ctl.Algebra, so both state models answer the same questions.
//
// A workflow net has one place that nothing produces, its source, and one that nothing consumes, its sink, and every place and
// transition is on a path from the one to the other. It starts with a token on its source alone (W. van der Aalst, 1998, The
// application of Petri nets to workflow management: WF-net). Here it may have several sinks, as the nets of business processes
// mostly do. A marking is final if only sinks are marked, at least one.
//
// It is sound when from every reachable marking a final one can be reached (the option to complete), when no marking that
// has a token on the sink has another besides (proper completion; with several sinks this would ask too much, and is not asked), and
// when no transition is dead (van der Aalst 1998: sound). That it is one-safe is asked besides.
package workflow
