// Package engine composes contracts, checks their requirements and reviews amendments.
//
//	Tree        where contracts are read from: a work tree or a revision
//	Draft       one version of a contract, composed (Compile)
//	Check       a Draft -> a Result: verdicts with their runs, and the built-in checks
//	Compare     two Drafts -> a ContractReview: what the amendment does to each verdict
//	Gate        a Review -> an exit status
//
// The story of one Check, file by file: draft.go (the composed net in canonical order), formulas.go
// (names to places), history.go (what they ask of events), digest.go (what it means), check.go (state model, verdicts), replay.go (every
// run executed again by other code), trace.go and claim.go (the run in the contract's words),
// waits.go (whose waiting it fails for), waiver.go (what is accepted), sketch.go (what might be
// required), checks.go (what needs no formula), finish.go (order, acceptance). Of one Compare: ask.go (base's
// wording asked of head), compare.go, gate.go.
//
// The theory, and where it is used:
//
//   - A. Daskalopulu (2000), Model Checking Contractual Protocols. Nets as parties' views,
//     composition on events, Table 1, step firing: petri, ctl, space.
//   - E. Clarke, E. Emerson, A. Sistla (1986), Automatic verification of finite-state concurrent
//     systems using temporal logic specifications. Labelling: ctl.
//   - I. Beer, S. Ben-David, C. Eisner, Y. Rodeh (2001), Efficient detection of vacuity in temporal
//     model checking; O. Kupferman, M. Vardi (2003), Vacuity detection in temporal model checking: ctl.
//   - W. van der Aalst (1998), The application of Petri nets to workflow management. Soundness and
//     the option to complete: checks.go.
//   - C. Dufourd, A. Finkel, P. Schnoebelen (1998), Reset nets between decidability and undecidability.
//     Transfer arcs, made conditional: petri's moves, watch.go.
//   - M. Dwyer, G. Avrunin, J. Corbett (1999), Patterns in property specifications for finite-state
//     verification. Patterns and scopes, their formulas derived anew: ctl, pattern.go.
//   - D. Lehmann, A. Pnueli, J. Stavi (1981), Impartiality, justice and fairness; K. Apt, N. Francez,
//     S. Katz (1988), Appraising fairness in languages for distributed programming; E. Emerson, C.-L. Lei
//     (1987), Modalities for model checking. Progress that a requirement assumes: space, progress.go.
//   - S. Kleene (1952), Introduction to Metamathematics. Three values: replay.go.
package engine
