package finding

// A Proposal is a suggested requirement for a contract that has none. The structure of the contract suggests it, and it was checked.
type Proposal struct {
	Name, Title string
	Formula     string   // standard CTL
	Assuming    []string // the parties that must not wait for ever for it to hold
	Verdict     Verdict  // Holds or Violated
}
