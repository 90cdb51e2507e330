package construct

// A Norm describes a kind of norm: the words of its block, and the names of the places of its net.
type Norm struct {
	Word       string   // the block's type
	attributes []string // besides those of prose
	Burdens    bool     // it binds its bearer; else it benefits them

	Act    string // the attribute that names its acts
	Means  string // the role of an act, as messages say it
	Begins string // the attribute that names what begins it
	Lasts  string // the attribute for its time in ticks; empty: none
	OwnAct bool   // where it names no act, it has one of its own: its bearer's, while it binds

	Verb     string // what its bearer does: "owes"
	InForce  string // heads what binds: "Owed"
	Breaker  string // "has breached what it ...": was forbidden; empty: it can't be breached
	ByOthers string // what acts in which its bearer takes no part do to it: "breach"; empty: that is in order

	Idle  string   // its state in words while it does not bind
	On    string   // the place that is marked while it binds
	Done  string   // after an act; empty: an act changes nothing
	Off   string   // after its end
	Late  string   // after its time; empty: it has none
	Turns []string // the places by which another norm may begin or end
}

// Names of places that norms share.
const (
	Dormant  = "dormant"  // before it binds
	Breached = "breached" // for good

	Suspended = "suspended" // by a power: it would bind
)

// Names of the places of the net that says whether an event that happens by itself is due.
const (
	NotDue = "not_due"
	Due    = "due"
)

// Norms lists every kind of norm, in the order of hclspec.NormKind.
var Norms = []Norm{
	{Word: "obligation", attributes: []string{"bearer", "counterparty", "when", "require", "fulfil", "within", "by", "before", "times", "every", "at_most", "breach", "until", "suspended_by", "resumes", "reparation", "ends_contract", "survives"},
		Burdens: true, Act: "fulfil", Means: "what fulfils it", Begins: "when", Lasts: "within", OwnAct: true,
		Verb: "owes", InForce: "Owed", Breaker: "owed",
		Idle: "not owed", On: "owed", Done: "fulfilled", Off: "lifted", Late: Breached, Turns: []string{"owed", "fulfilled", Breached, "lifted"}},
	{Word: "prohibition", attributes: []string{"bearer", "counterparty", "of", "from", "require", "until", "lasts", "reparation", "ends_contract", "survives"},
		Burdens: true, Act: "of", Means: "what is forbidden", Begins: "from", Lasts: "lasts",
		Verb: "must not", InForce: "Forbidden", Breaker: "was forbidden", ByOthers: "breach",
		Idle: "not in force", On: "in_force", Done: Breached, Off: "expired", Late: "expired", Turns: []string{"in_force", Breached, "expired"}},
	{Word: "permission", attributes: []string{"bearer", "counterparty", "of", "from", "require", "until", "survives"},
		Act: "of", Means: "what is permitted", Begins: "from",
		Verb: "may", InForce: "Permitted", ByOthers: "make use of",
		Idle: "not given", On: "given", Off: "expired", Turns: []string{"given", "expired"}},
	{Word: "power", attributes: []string{"bearer", "counterparty", "exercise", "repeats", "when", "require", "within", "until", "lifts", "suspends", "resumes", "extends", "assigns", "to", "ends_contract", "survives"},
		Act: "exercise", Means: "what exercises it", Begins: "when", Lasts: "within", OwnAct: true,
		Verb: "can", InForce: "Power", ByOthers: "exercise",
		Idle: "not held", On: "held", Done: "exercised", Off: "expired", Late: "expired", Turns: []string{"held", "exercised", "expired"}},
}

// NormOf returns the norm whose block has a type; the zero Norm if blocks of that type are no norms.
func NormOf(blockType string) Norm {
	for i := range Norms {
		if Norms[i].Word == blockType {
			return Norms[i]
		}
	}
	return Norm{}
}

// NormWords returns the types of the blocks that are norms.
func NormWords() []string {
	var all []string
	for _, n := range Norms {
		all = append(all, n.Word)
	}
	return all
}

// IsNorm reports whether blocks of some type are norms.
func IsNorm(blockType string) bool {
	for i := range Norms {
		if Norms[i].Word == blockType {
			return true
		}
	}
	return false
}
