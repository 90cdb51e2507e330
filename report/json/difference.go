package json

import (
	"strconv"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// A difference has what an amendment changes besides verdicts.
type difference struct {
	Changes   []textChange `json:"changes"`
	Behaviour behaviour    `json:"behaviour"`
	Views     []view       `json:"views"`
	States    states       `json:"states"`
	Acts      []act        `json:"acts,omitempty"`
	Exposure  []exposure   `json:"exposure"`
	Unexposed string       `json:"exposureUnknown,omitempty"`
	Picture   *picture     `json:"picture"`
}

// A textChange is one change of a contract's elements.
type textChange struct {
	Action      string     `json:"action"`
	Element     string     `json:"element"`
	Name        string     `json:"name"`
	Was         string     `json:"was"`
	Terms       []term     `json:"terms"`
	Base        *textRange `json:"base"`
	Head        *textRange `json:"head"`
	Fingerprint string     `json:"fingerprint"`
}

// A term is an attribute of an element, before and after.
type term struct {
	Word string `json:"word"`
	Was  string `json:"was"`
	Now  string `json:"now"`
}

// A textRange is a range in a file.
type textRange struct {
	File  string   `json:"file"`
	Start position `json:"start"`
	End   position `json:"end"`
}

// A position is a position in a file.
type position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

// A behaviour compares what can happen in both versions.
type behaviour struct {
	Observed   *[]string  `json:"observed"`
	Relation   string     `json:"relation"`
	Reason     string     `json:"reason"`
	Possible   []sequence `json:"possible"`
	Impossible []sequence `json:"impossible"`
	Choice     *choice    `json:"choice"`
	MoreThan   int        `json:"leftOut"`
	Owed       *owed      `json:"owed"`
}

// An owed compares what is owed after the same steps.
type owed struct {
	Relation string           `json:"relation"`
	Reason   string           `json:"reason"`
	Norms    []normDifference `json:"norms"`
	Unshown  int              `json:"unshown"`
	Untimed  []normDifference `json:"untimed,omitempty"`
	Open     string           `json:"untimedReason,omitempty"`
}

// A normDifference is a norm whose state differs after the same steps.
type normDifference struct {
	Norm    string       `json:"norm"`
	Kind    string       `json:"kind"`
	Title   string       `json:"title"`
	Run     []firing     `json:"run"`
	Side    string       `json:"side"`
	End     []partyState `json:"end"`
	Ends    *ends        `json:"ends,omitempty"`
	Was     []normState  `json:"was"`
	Now     []normState  `json:"now"`
	WasOver []string     `json:"wasOver,omitempty"`
	NowOver []string     `json:"nowOver,omitempty"`
	Better  []string     `json:"better"`
	Worse   []string     `json:"worse"`
	Alone   bool         `json:"timeAlone,omitempty"`
	Reason  string       `json:"reason,omitempty"`
	Later   *later       `json:"later,omitempty"`
}

// A normState is the state of a norm.
type normState struct {
	State        string `json:"state"`
	Bearer       string `json:"bearer"`
	Counterparty string `json:"counterparty"`
	Ticks        int    `json:"ticks"`
}

// A sequence is a sequence of steps that one version refuses.
type sequence struct {
	Run     []firing `json:"run"`
	Refused string   `json:"refused"`
	Instead []string `json:"instead"`
	Later   *later   `json:"later,omitempty"`
	Ended   string   `json:"ended,omitempty"` // "base" or "head": the contract of that version alone has ended before the last step
}

// A later is the time after which a refused step is possible.
type later struct {
	Ticks int    `json:"ticks"`
	Unit  string `json:"unit"`
}

// A choice is a run after which other choices are open.
type choice struct {
	Run    []firing   `json:"run"`
	Side   string     `json:"side"`
	Next   []string   `json:"next"`
	Others [][]string `json:"others"`
}

// A view is what one party can see of a difference.
type view struct {
	Party     string    `json:"party"`
	In        string    `json:"in"`
	Behaviour behaviour `json:"behaviour"`
}

// An act is an event that other parties bring about than before, or that others see.
type act struct {
	Event      string     `json:"event"`
	Title      string     `json:"title"`
	Was        [][]string `json:"was"`
	Now        [][]string `json:"now"`
	SeenBefore []string   `json:"seenBefore"`
	SeenNow    []string   `json:"seenNow"`
	Better     []string   `json:"better"`
	Worse      []string   `json:"worse"`
}

// A states has the states, dead ends and clauses that differ.
type states struct {
	Appeared      string      `json:"appeared"`
	Vanished      string      `json:"vanished"`
	AppearedShown []situation `json:"appearedShown"`
	VanishedShown []situation `json:"vanishedShown"`
	NewDead       string      `json:"newDead"`
	LostDead      string      `json:"lostDead"`
	NewDeadEnds   []situation `json:"newDeadEnds"`
	LostDeadEnds  []situation `json:"lostDeadEnds"`
	Died          []clause    `json:"died"`
	Alive         []clause    `json:"alive"`
	Unknown       string      `json:"unknown"`

	Apart     *situation `json:"apart,omitempty"`
	Undecided string     `json:"undecided,omitempty"`
	Aside     []string   `json:"aside,omitempty"`
}

// A situation is a state and a run to it.
type situation struct {
	Run []firing     `json:"run"`
	End []partyState `json:"end"`

	Differs []change `json:"differs,omitempty"` // where the other side is elsewhere after the same steps
}

// A clause is an element that can newly happen, or no longer.
type clause struct {
	Name   string     `json:"name"`
	Title  string     `json:"title"`
	Clause string     `json:"clause"`
	Source *textRange `json:"source"`
}

// An exposure compares when a party has performed but not been performed for.
type exposure struct {
	Party string   `json:"party"`
	Unit  string   `json:"unit,omitempty"`
	Base  *exposed `json:"base"`
	Head  *exposed `json:"head"`
}

// An exposed is the exposure of a party in one version.
type exposed struct {
	States string   `json:"states"`
	Of     string   `json:"of"`
	From   []string `json:"from"`
	To     []string `json:"to"`
	Stuck  []string `json:"stuck,omitempty"`
	Ends   bool     `json:"ends"`
	By     *rests   `json:"by,omitempty"`
	None   bool     `json:"none,omitempty"`
	Owes   bool     `json:"owes,omitempty"`
	Owed   bool     `json:"owed,omitempty"`
	Early  bool     `json:"early,omitempty"`

	Lasts *lasting `json:"lasts,omitempty"`
}

// A lasting is how many ticks a party is exposed at least, and at most.
type lasting struct {
	Least   int  `json:"least"`
	Most    int  `json:"most,omitempty"`
	Limited bool `json:"limited"`
}

// A picture is the graph of both state models.
type picture struct {
	Extent string         `json:"extent"`
	States []pictureState `json:"states"`
	Arcs   []pictureArc   `json:"arcs"`
	More   int            `json:"leftOut"`
}

// A pictureState is a node of a picture.
type pictureState struct {
	Words []partyState `json:"words"`
	Start bool         `json:"start"`
	Stuck bool         `json:"stuck"`
	In    string       `json:"in"`
}

// A pictureArc is an arc of a picture.
type pictureArc struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Label string `json:"label"`
	In    string `json:"in"`
}

// A refusal is the step of a run that base would have refused.
type refusal struct {
	Step    int      `json:"step"`
	Instead []string `json:"instead"`
	Again   bool     `json:"again"`
	Later   *later   `json:"later,omitempty"`
}

// A blame has the changes that cause a violation.
type blame struct {
	Blocks   []block   `json:"blocks"`
	Smallest bool      `json:"smallest"`
	Reason   string    `json:"reason"`
	First    *firstRun `json:"first,omitempty"`
	More     bool      `json:"more,omitempty"`
}

// A firstRun is the run of a violation that was found first, where another one is shown.
type firstRun struct {
	Trace *trace `json:"trace"`
	Run   string `json:"run"`
}

// A block is a changed block of the text.
type block struct {
	Name   string     `json:"name"`
	Title  string     `json:"title,omitempty"`
	Clause string     `json:"clause,omitempty"`
	Action string     `json:"action"`
	Terms  []string   `json:"terms"`
	Source *textRange `json:"source"`
	Was    *textRange `json:"was"`
}

// A repair is a verified repair of a violation.
type repair struct {
	What       string `json:"what"`
	Edits      []edit `json:"edits"`
	OldWays    bool   `json:"oldWays,omitempty"`
	OldWording bool   `json:"oldWording,omitempty"`
	Others     int    `json:"others,omitempty"`
	Undecided  int    `json:"undecided,omitempty"`
}

// An edit replaces a range of the text.
type edit struct {
	Range textRange `json:"range"`
	Old   string    `json:"old"`
	New   string    `json:"new"`
}

func toDifference(d finding.Difference) difference {
	return difference{
		Changes:   words.Mapped(d.Changes, toTextChange),
		Behaviour: toBehaviour(d.All),
		Views: words.Mapped(d.Views, func(v finding.View) view {
			return view{Party: v.Party, In: sideWord(v.In), Behaviour: toBehaviour(v.Behaviour)}
		}),
		States: toStates(d.States),
		Acts:   words.Mapped(d.Acts, toAct),
		Exposure: words.Mapped(d.Exposure, func(e finding.Exposure) exposure {
			return exposure{Party: e.Party, Unit: e.Unit, Base: optional(e.Base, toExposed), Head: optional(e.Head, toExposed)}
		}),
		Unexposed: d.Unexposed,
		Picture:   optional(d.Picture, toPicture),
	}
}

func sideWord(s diff.Side) string { return [...]string{"both", "base", "head"}[s] }

func toTextChange(c diff.Change) textChange {
	return textChange{
		Action: c.Action.String(), Element: c.Element.String(), Name: c.Name, Was: c.Was,
		Terms: words.Mapped(c.Terms, func(t diff.Term) term { return term(t) }),
		Base:  toRange(c.Base), Head: toRange(c.Head), Fingerprint: c.Fingerprint,
	}
}

// toRange returns nil if there is no file, and so no place.
func toRange(r hcl.Range) *textRange {
	if r.Filename == "" {
		return nil
	}
	return &textRange{r.Filename, position(r.Start), position(r.End)}
}

func toBehaviour(b finding.Behaviour) behaviour {
	out := behaviour{
		Relation: b.Relation.String(), Reason: b.Reason,
		Possible: words.Mapped(b.Possible, toSequence), Impossible: words.Mapped(b.Impossible, toSequence),
		Choice: optional(b.Choice, toChoice), MoreThan: b.MoreThan, Owed: optional(b.Owed, toOwed),
	}
	if b.Observed != nil {
		names := words.Mapped(b.Observed, same)
		out.Observed = &names
	}
	return out
}

func toOwed(o finding.Owed) owed {
	return owed{Relation: o.Relation.String(), Reason: o.Reason, Norms: words.Mapped(o.Norms, toNormDifference), Unshown: o.Unshown, Untimed: words.Mapped(o.Untimed, toNormDifference), Open: o.UntimedReason}
}

func toNormDifference(d finding.NormDifference) normDifference {
	state := func(s finding.NormState) normState { return normState(s) }
	return normDifference{
		Norm: d.Norm, Kind: d.Kind, Title: d.Title, Run: words.Mapped(d.Run, toFiring), Side: sideWord(d.Side), End: words.Mapped(d.End, toPartyState), Ends: toEnds(d.Ends),
		Was: words.Mapped(d.Was, state), Now: words.Mapped(d.Now, state), WasOver: d.WasOver, NowOver: d.NowOver, Better: words.Mapped(d.Better, same), Worse: words.Mapped(d.Worse, same), Alone: d.TimeAlone, Reason: d.Reason, Later: toLater(d.Later),
	}
}

func toSequence(s finding.Sequence) sequence {
	ended := ""
	if s.Ended != diff.InBoth {
		ended = sideWord(s.Ended)
	}
	return sequence{Run: words.Mapped(s.Run, toFiring), Refused: s.Refused, Instead: words.Mapped(s.Instead, same), Later: toLater(s.Later), Ended: ended}
}

func toLater(l finding.Later) *later {
	if l.Ticks == 0 {
		return nil
	}
	return &later{l.Ticks, l.Unit}
}

func toChoice(c finding.Choice) choice {
	side := diff.InBase
	if c.Head {
		side = diff.InHead
	}
	return choice{
		Run: words.Mapped(c.Run, toFiring), Side: sideWord(side), Next: words.Mapped(c.Next, same),
		Others: words.Mapped(c.Others, func(o []string) []string { return words.Mapped(o, same) }),
	}
}

func toAct(a finding.Act) act {
	ways := func(all [][]string) [][]string {
		return words.Mapped(all, func(way []string) []string { return words.Mapped(way, same) })
	}
	return act{Event: a.Event, Title: a.Title, Was: ways(a.Was), Now: ways(a.Now), SeenBefore: words.Mapped(a.SeenBefore, same), SeenNow: words.Mapped(a.SeenNow, same),
		Better: words.Mapped(a.Better, same), Worse: words.Mapped(a.Worse, same)}
}

func toStates(s finding.States) states {
	n := s.Counts()
	var apart *situation
	if s.Apart != nil {
		a := toSituation(*s.Apart)
		apart = &a
	}
	return states{
		Appeared: n.Appeared.String(), Vanished: n.Vanished.String(),
		AppearedShown: words.Mapped(s.AppearedShown, toSituation), VanishedShown: words.Mapped(s.VanishedShown, toSituation),
		NewDead: n.NewDead.String(), LostDead: n.LostDead.String(),
		NewDeadEnds: words.Mapped(s.NewDeadEnds, toSituation), LostDeadEnds: words.Mapped(s.LostDeadEnds, toSituation),
		Died: words.Mapped(s.Died, toClause), Alive: words.Mapped(s.Alive, toClause), Unknown: s.Unknown,
		Apart: apart, Undecided: s.Undecided, Aside: s.Aside,
	}
}

func toSituation(s finding.Situation) situation {
	return situation{Run: words.Mapped(s.Run, toFiring), End: words.Mapped(s.End, toPartyState), Differs: words.Mapped(s.Differs, toChange)}
}

func toClause(c finding.Clause) clause {
	return clause{Name: c.Name, Title: c.Title, Clause: c.Clause, Source: toRange(c.Source)}
}

func toExposed(e finding.Exposed) exposed {
	return exposed{
		States: strconv.Itoa(e.States), Of: strconv.Itoa(e.Of),
		From: words.Mapped(e.From, same), To: words.Mapped(e.To, same), Stuck: words.Mapped(e.Stuck, same), Ends: e.Ends, By: optional(e.By, toRests), None: e.None, Owes: e.Owes, Owed: e.Owed, Early: e.Early,
		Lasts: optional(e.Lasts, func(l finding.Lasting) lasting { return lasting(l) }),
	}
}

func toPicture(p finding.Picture) picture {
	return picture{
		Extent: p.Extent.String(), More: p.More,
		States: words.Mapped(p.States, func(s finding.PictureState) pictureState {
			return pictureState{Words: words.Mapped(s.Words, toPartyState), Start: s.Start, Stuck: s.Stuck, In: sideWord(s.In)}
		}),
		Arcs: words.Mapped(p.Arcs, func(a finding.PictureArc) pictureArc {
			return pictureArc{From: a.From, To: a.To, Label: a.Label, In: sideWord(a.In)}
		}),
	}
}

func toRefusal(r finding.Refusal) refusal {
	return refusal{Step: r.Step, Instead: words.Mapped(r.Instead, same), Again: r.Again, Later: toLater(r.Later)}
}

func toBlame(g finding.Blame) blame {
	return blame{
		Blocks:   words.Mapped(g.Blocks, toBlock),
		Smallest: g.Smallest, Reason: g.Reason,
		First: optional(g.First, func(r finding.FirstRun) firstRun { return firstRun{toTrace(r.Trace), r.Run} }),
		More:  g.More,
	}
}

func toRepair(r finding.Repair) repair {
	return repair{What: r.What, OldWays: r.OldWays, OldWording: r.OldWording, Others: r.Others, Undecided: r.Undecided, Edits: words.Mapped(r.Edits, func(e finding.Edit) edit {
		return edit{Range: textRange{e.Range.Filename, position(e.Range.Start), position(e.Range.End)}, Old: e.Old, New: e.New}
	})}
}
