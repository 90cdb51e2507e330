// Package engine is the door to redline for other programs: it checks contracts, and reviews amendments to them.
//
//	results, err := engine.Check(ctx, engine.Tree{FS: os.DirFS("contracts")}, engine.DefaultBudget())
//	review, err := engine.Review(ctx, base, head, engine.DefaultBudget())
//
// Check decides every requirement of each contract in a tree: a directory, a revision that gitfs.Open reads from a git repository, or any
// other fs.FS. Review compares two such trees. What they return is plain data, of package finding: a Result has a Verdict for each
// Requirement, with a Trace that shows why it is violated; a Review has a Finding for each, of a Kind such as New or Repaired, with the
// changes to blame and the edits that mend it. Packages below report write both as text, Markdown, JSON, SARIF, JUnit XML or one HTML page.
//
// # The idea
//
// A contract is a set of views, one for each party. Each view is a state machine or a Petri net. Their transitions synchronise on events,
// so all views together are one Petri net. Obligations, deadlines, counters and documents become places and transitions of the same
// net. Requirements are formulas of temporal logic over its places. Checking a contract is model checking that net; reviewing an
// amendment is checking two nets and comparing what was found.
//
// Three things can be relied on. A verdict that is not unknown is about all reachable states. A limit that is reached, of states, memory or
// time, makes verdicts unknown and nothing else. A run that is shown has been replayed step by step by other code than found it.
//
// # Stability
//
// A release's number is that of the command, whose language, JSON, codes and exit statuses are stable. The Go packages are as of a version 0,
// whatever that number: any exported name may change or go with a release. Least likely to change are Check, Review, Tree and
// DefaultBudget, the types of package finding that they take and return, and gitfs.Open. All other packages are open to be read and tried,
// not to be built on.
//
// Nothing here writes files or uses the network, and the time of day changes no verdict: limits of time alone look at a clock. Functions
// may be called by several goroutines at once.
//
// # Packages
//
// Data goes through these packages, in this order:
//
//	compile     a contract becomes a net, formulas and names
//	verify      a net and formulas become verdicts, each with a run that shows it
//	explain     a run becomes data that sentences can be made of, after other code has replayed it
//	behaviour   two nets become what only one of them can do, and what is owed differently
//	compare     two sets of verdicts become findings: new, standing, repaired, waived, given up
//	blame       a finding becomes the changes that cause it, and small edits that repair it
//	negotiate   two redlines of one base become a table of promises
//	finding     is the data itself: Result, Review, Trace, Difference. Reports see only this package
//
// Below them are the methods, each a package that knows nothing of contracts: petri and ctl (nets and logic), space (states one by one),
// symbolic and dd (decision diagrams), structure, reduce, implications and local (answers without a state model), delta and product (two
// transition systems compared), certificate (proofs that a small checker verifies).
//
// # Sources
//
// What redline relies on, and where:
//
//   - A. Daskalopulu (2000), Model Checking Contractual Protocols. Nets as parties' views,
//     composition on events, Table 1, step firing: petri, ctl, space.
//   - E. Clarke, E. Emerson, A. Sistla (1986), Automatic verification of finite-state concurrent
//     systems using temporal logic specifications. Labelling: ctl.
//   - I. Beer, S. Ben-David, C. Eisner, Y. Rodeh (2001), Efficient detection of vacuity in temporal
//     model checking; O. Kupferman, M. Vardi (2003), Vacuity detection in temporal model checking: ctl.
//   - W. van der Aalst (1998), The application of Petri nets to workflow management. Soundness and
//     the option to complete: verify, workflow.
//   - C. Dufourd, A. Finkel, P. Schnoebelen (1998), Reset nets between decidability and undecidability.
//     Transfer arcs, made conditional: petri's moves, compile.
//   - M. Dwyer, G. Avrunin, J. Corbett (1999), Patterns in property specifications for finite-state
//     verification. Patterns and scopes, their formulas derived anew: ctl, explain.
//   - D. Lehmann, A. Pnueli, J. Stavi (1981), Impartiality, justice and fairness; K. Apt, N. Francez,
//     S. Katz (1988), Appraising fairness in languages for distributed programming; E. Emerson, C.-L. Lei
//     (1987), Modalities for model checking. Progress that a requirement assumes: space, symbolic, verify.
//   - A. Zeller, R. Hildebrandt (2002), Simplifying and isolating failure-inducing input. The fewest changes
//     that cause a violation: blame.
//   - T. Mens (2002), A state-of-the-art survey on software merging. A merge without conflict may mean
//     what neither side meant: negotiate.
//   - M. Rabin, D. Scott (1959), Finite automata and their decision problems. The states that a draft can be in after
//     what was observed: behaviour.
//   - A. Valmari (1991), Stubborn sets for reduced state space generation; B. Vergauwen, J. Lewi (1993), A linear local
//     model checking algorithm for CTL. No more states than an answer needs: local.
//   - S. Kleene (1952), Introduction to Metamathematics. Three values: explain, local.
//   - T. Murata (1989), Petri nets: properties, analysis and applications; J. Farkas (1902), Theorie der
//     einfachen Ungleichungen. What the state equation rules out, with certificates: structure, verify.
//   - M. Weiser (1981), Program slicing; M. Bozga, J.-C. Fernandez, L. Ghirvu (1999), State space reduction based on live
//     variables analysis. Only the tokens that matter to a formula: slice.
//   - D. Dill (1989), Timing assumptions and verification of finite-state concurrent systems; J. Bengtsson, W. Yi (2004), Timed
//     automata: semantics, algorithms and tools. Values of clocks as bounds on differences: zone.
//   - G. Berthelot (1987), Transformations and decompositions of nets; Y. Thierry-Mieg (2020), Structural reductions
//     revisited. Smaller nets for the formula at hand: reduce, implications.
package engine
