package finding

// Rests has the sets of parties, nets and time that a requirement rests on: each of them keeps it by acting, even if all others wait
// (package rests). It is computed for requirements that something has to happen, and does not affect the verdict unless the requirement
// says so.
type Rests struct {
	Sets    [][]string   // inclusion-minimal, the smallest first; an empty set: no one need act; none: acting alone does not keep it
	More    bool         // there are more sets, or may be
	Norms   [][]KeptNorm // if there are no Sets: all acting keeps it if every norm of one of these is kept
	NoRuns  bool         // of ideal runs, if there are no Sets: all acting keeps it, but only because every run then breaches something
	Ideal   bool         // it is about runs without a breach alone
	Unknown string       // why it is not known; the rest is then empty, save Ideal
}

// A KeptNorm is a norm that must not be breached.
type KeptNorm struct {
	Norm, Bearer string
}

// A Leaning has the norms that an amendment adds or changes and that have to be kept for a promise over ideal runs to hold, as they had not before.
type Leaning struct {
	Norms []KeptNorm // breaches of each alone violate it, or if those of none do, breaches of some together
	Run   *Trace     // violates the promise, and breaches nothing else; nil: none was found
}
