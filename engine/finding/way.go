package finding

// A Way compares a violation on head with the violation of the same promise on base.
type Way struct {
	New     bool   // the run shown is a way that base did not have
	Step    int    // of a new way: the first step of its run that base has and cannot take; 0: base could still keep the promise at its end
	Lacks   int    // the first step before that one that base has not; 0: none
	Unshown bool   // no run shows the violation, so ways cannot be compared
	Unknown string // why it is unknown whether there is a new way; empty otherwise
}

// Old reports whether it is decided that there is no new way.
func (w *Way) Old() bool { return !w.New && !w.Unshown && w.Unknown == "" }
