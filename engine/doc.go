// Package engine composes contracts, checks their requirements and reviews amendments.
//
//	Tree        where contracts are read from: a work tree or a revision
//	Draft       one version of a contract, composed (Compile)
//	Check       a Draft -> a Result: verdicts with their runs, and the built-in checks
//	Compare     two Drafts -> a ContractReview: what the amendment does to each verdict
//	Negotiate   Drafts of a base and of two redlines -> what each wins and loses, and what comes of both
//	Shards      which part of a review each of several runners does
//	Gate        a Review -> an exit status
//
// The story of one Check, file by file:
//
//	draft.go      the composed net in canonical order
//	natural.go      which counts as people do
//	watch.go      what norms and clocks put on the events they watch
//	documents.go  who holds a document, as a name in formulas
//	counters.go   counters as the places of their values
//	formulas.go   names to places, of what phrase has read; with
//	instances.go    what is said of all or some of several
//	pattern.go      requirements that read as a sentence, in words
//	ideal.go        what ideal means
//	history.go    what formulas ask of events, remembered
//	digest.go     what the contract means
//	budget.go     how much may be spent
//	portfolio.go  which method answers; nearby.go, nearby_reduced.go without a state model
//	check.go      verdicts, whatever the state model is: models.go (states one by one), models_diagrams.go
//	progress.go   what may be assumed of the parties
//	terms.go      which runs a requirement is about
//	replay.go     every run executed again by other code
//	trace.go      the run in the contract's words (called.go: who acts); claim.go and claim_words.go what it shows
//	rests.go      on whom a promise rests; rests_diagrams.go on decision diagrams
//	waiver.go     what is accepted of the violations; waived.go what an amendment does to that
//	norms.go      what is checked of obligations and their like; norm_sweep.go where they can be fulfilled
//	checks.go     what else needs no formula
//	sketch.go     what might be required
//	alike.go      what is true of several, said once
//	finish.go     order, acceptance
//
// Of one Compare: changes.go (what differs in the texts, and the names of one on the other), ask.go (base's wording
// asked of head), compare.go, sorting.go (new, standing, repaired: the rule), compare_checks.go (the same for built-in checks), ways.go and ways_named.go (new ways of violating),
// rests_compare.go (on whom a promise rests on base and head), withdrawn.go (promises given up), declared.go and compare_norms.go (norms and documents that are dropped or changed),
// accepting.go and acceptance.go (what is accepted, and whether it counts), gate.go; picture.go draws both state models as one. result.go and review.go are what comes out.
//
// Of one Difference, which difference.go describes: behaviour.go (both state models compared, for everybody and for
// each party), with same_net.go (nothing to compare), naming.go and behaviour_deeds.go (what there is to be
// seen), views.go (and by whom), behaviour_system.go (the models as package delta wants them); behaviour_confirm.go,
// behaviour_replay.go and follow.go (replayed by other code before it is shown); states.go and states_clauses.go
// (states by what they mean, dead ends, clauses that died); behaviour_large.go (all that without going through the states, where there are too many); exposure.go; owed.go and owed_replay.go (what is owed); refusal.go (what base would have refused; lost.go: what it could still do).
//
// Of what is to blame: redraft.go (a draft with another text), renamed.go (what is only renamed, renamed first),
// question.go (does a draft have this violation), trial.go (asked of texts in between), blame.go (for which the fewest
// changes do), guilt.go (in words); repair.go, repair_edits.go and repair_words.go (what helps, checked in full).
//
// Of a net in PNML, which is no contract: imported.go, imported_findings.go (in words), imported_verdict.go, over package workflow.
//
// Of many contracts: trees.go (found, read, paired), heirs.go (one of base with several of head), shards.go (spread over several runners), crowd.go (which are changed alike), commons.go (what these share, in
// numbers), sharing.go (how blame shares, and what it then holds against the contract's own text).
//
// Of one Negotiate: negotiate.go (pairs, the merge), negotiate_promises.go (the table), negotiate_joint.go (what only
// both break, and who is to blame), negotiate_courses.go (who has which sequence); negotiation.go is what comes out.
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
//     the option to complete: checks.go, workflow.
//   - C. Dufourd, A. Finkel, P. Schnoebelen (1998), Reset nets between decidability and undecidability.
//     Transfer arcs, made conditional: petri's moves, watch.go.
//   - M. Dwyer, G. Avrunin, J. Corbett (1999), Patterns in property specifications for finite-state
//     verification. Patterns and scopes, their formulas derived anew: ctl, pattern.go.
//   - D. Lehmann, A. Pnueli, J. Stavi (1981), Impartiality, justice and fairness; K. Apt, N. Francez,
//     S. Katz (1988), Appraising fairness in languages for distributed programming; E. Emerson, C.-L. Lei
//     (1987), Modalities for model checking. Progress that a requirement assumes: space, progress.go.
//   - A. Zeller, R. Hildebrandt (2002), Simplifying and isolating failure-inducing input. The fewest changes
//     that bring a violation about: blame.go.
//   - T. Mens (2002), A state-of-the-art survey on software merging. That a merge without conflict may mean
//     what neither side meant: negotiate.go.
//   - M. Rabin, D. Scott (1959), Finite automata and their decision problems. All that a draft can be in after
//     what was observed: follow.go.
//   - A. Valmari (1991), Stubborn sets for reduced state space generation; B. Vergauwen, J. Lewi (1993), A linear local
//     model checking algorithm for CTL. No more states than an answer needs: local.
//   - S. Kleene (1952), Introduction to Metamathematics. Three values: replay.go, local.
//   - T. Murata (1989), Petri nets: properties, analysis and applications; J. Farkas (1902), Theorie der
//     einfachen Ungleichungen. What the state equation rules out, with certificates: structure, certify_shape.go.
//   - G. Berthelot (1987), Transformations and decompositions of nets; Y. Thierry-Mieg (2020), Structural reductions
//     revisited. Smaller nets for the formula at hand: reduce, pairs.
package engine
