package finding

// Rests says on whom a requirement rests: which sets of parties, nets and time keep it by acting, however everybody else waits (package
// rests). It is asked of requirements by which something has to come, and it has no part in the verdict unless the requirement says so.
type Rests struct {
	Sets    [][]string   // inclusion-minimal, the smallest first; an empty set: nobody need act; none: acting alone does not keep it
	More    bool         // there are more sets, or may be
	Norms   [][]KeptNorm // where there are no Sets: it is kept if everybody acts and, of one of these, each norm is kept
	NoRuns  bool         // of ideal runs, where there are no Sets: everybody's acting keeps it, but only because something is then breached on every run
	Unknown string       // why it is not known; then all else is empty
}

// A KeptNorm is one that is not to be breached.
type KeptNorm struct {
	Norm, Bearer string
}
