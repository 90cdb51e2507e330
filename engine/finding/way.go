package finding

// A Way says how a violation of head compares with the violation of the same on base.
type Way struct {
	New     bool   // the run that is shown is a way that base did not have
	Step    int    // of a new way: the first step of its run that base has and can't take there; 0: base could still keep the promise where it ends
	Unshown bool   // no run shows the violation, so that there is no way to compare
	Unknown string // why it is unknown whether there is a new way; empty otherwise
}
