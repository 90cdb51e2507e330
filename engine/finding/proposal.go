package finding

// A Proposal is a requirement that a contract without any might mean to have: its structure suggests
// it, and it was checked.
type Proposal struct {
	Name, Title string
	Formula     string   // standard CTL
	Assuming    []string // the parties that must not wait for ever for it to hold
	Verdict     Verdict  // Holds or Violated
}
