// Package workflow checks a net by itself: whether it is one-safe, which dead ends it has, which transitions never fire and, if it is a
// workflow net, whether it is sound.
//
//	Recognize  decides whether a net is a workflow net, and what it lacks otherwise
//	Explicit   runs the checks on explicit states
//	Symbolic   runs the same checks on decision diagrams
//	Report     has the findings, with runs that package petri has fired again
//
// The checks are written once over ctl.Algebra, so both state models answer the same questions.
//
// A workflow net has one place that nothing produces, its source, and one that nothing consumes, its sink. Every place and
// transition is on a path from the source to the sink. Initially only its source is marked (W. van der Aalst, 1998, The
// application of Petri nets to workflow management: WF-net). Here it may have several sinks, as most nets of business processes
// do. A marking is final if only sinks are marked, at least one.
//
// It is sound if from every reachable marking a final one can be reached (the option to complete), if no marking that
// has a token on the sink has another one (proper completion; with several sinks this would ask too much and is not checked), and
// if no transition is dead (van der Aalst 1998: sound). The checks also ask whether it is one-safe.
package workflow
