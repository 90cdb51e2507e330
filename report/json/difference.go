package json

import (
	"strconv"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// A Difference has what an amendment changes besides verdicts.
type Difference struct {
	Changes   []TextChange `json:"changes"`
	Behaviour Behaviour    `json:"behaviour"`
	Views     []View       `json:"views"`
	States    States       `json:"states"`
	Acts      []Act        `json:"acts,omitempty"`
	Exposure  []Exposure   `json:"exposure"`
	Picture   *Picture     `json:"picture"`
}

// A TextChange is one change of a contract's elements.
type TextChange struct {
	Action      string `json:"action"`
	Element     string `json:"element"`
	Name        string `json:"name"`
	Was         string `json:"was"`
	Terms       []Term `json:"terms"`
	Base        *Range `json:"base"`
	Head        *Range `json:"head"`
	Fingerprint string `json:"fingerprint"`
}

// A Term is an attribute of an element, before and after.
type Term struct {
	Word string `json:"word"`
	Was  string `json:"was"`
	Now  string `json:"now"`
}

// A Range is a range in a file.
type Range struct {
	File  string `json:"file"`
	Start Pos    `json:"start"`
	End   Pos    `json:"end"`
}

// A Pos is a position in a file.
type Pos struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

// A Behaviour compares what can happen in both versions.
type Behaviour struct {
	Observed   *[]string  `json:"observed"`
	Relation   string     `json:"relation"`
	Reason     string     `json:"reason"`
	Possible   []Sequence `json:"possible"`
	Impossible []Sequence `json:"impossible"`
	Choice     *Choice    `json:"choice"`
	MoreThan   int        `json:"leftOut"`
	Owed       *Owed      `json:"owed"`
}

// An Owed compares what is owed after the same steps.
type Owed struct {
	Relation string           `json:"relation"`
	Reason   string           `json:"reason"`
	Norms    []NormDifference `json:"norms"`
	Unshown  int              `json:"unshown"`
	Untimed  []NormDifference `json:"untimed,omitempty"`
	Open     string           `json:"untimedReason,omitempty"`
}

// A NormDifference is a norm whose state differs after the same steps.
type NormDifference struct {
	Norm    string       `json:"norm"`
	Kind    string       `json:"kind"`
	Title   string       `json:"title"`
	Run     []Firing     `json:"run"`
	Side    string       `json:"side"`
	End     []PartyState `json:"end"`
	Ends    *Ends        `json:"ends,omitempty"`
	Was     []NormState  `json:"was"`
	Now     []NormState  `json:"now"`
	WasOver []string     `json:"wasOver,omitempty"`
	NowOver []string     `json:"nowOver,omitempty"`
	Better  []string     `json:"better"`
	Worse   []string     `json:"worse"`
	Alone   bool         `json:"timeAlone,omitempty"`
	Reason  string       `json:"reason,omitempty"`
	Later   *Later       `json:"later,omitempty"`
}

// A NormState is the state of a norm.
type NormState struct {
	State        string `json:"state"`
	Bearer       string `json:"bearer"`
	Counterparty string `json:"counterparty"`
	Ticks        int    `json:"ticks"`
}

// A Sequence is a sequence of steps that one version refuses.
type Sequence struct {
	Run     []Firing `json:"run"`
	Refused string   `json:"refused"`
	Instead []string `json:"instead"`
	Later   *Later   `json:"later,omitempty"`
}

// A Later is the time after which a refused step is possible.
type Later struct {
	Ticks int    `json:"ticks"`
	Unit  string `json:"unit"`
}

// A Choice is a run after which other choices are open.
type Choice struct {
	Run    []Firing   `json:"run"`
	Side   string     `json:"side"`
	Next   []string   `json:"next"`
	Others [][]string `json:"others"`
}

// A View is what one party can see of a difference.
type View struct {
	Party     string    `json:"party"`
	In        string    `json:"in"`
	Behaviour Behaviour `json:"behaviour"`
}

// An Act is an event that other parties bring about than before, or that others see.
type Act struct {
	Event      string     `json:"event"`
	Title      string     `json:"title"`
	Was        [][]string `json:"was"`
	Now        [][]string `json:"now"`
	SeenBefore []string   `json:"seenBefore"`
	SeenNow    []string   `json:"seenNow"`
	Better     []string   `json:"better"`
	Worse      []string   `json:"worse"`
}

// A States has the states, dead ends and clauses that differ.
type States struct {
	Appeared      string      `json:"appeared"`
	Vanished      string      `json:"vanished"`
	AppearedShown []Situation `json:"appearedShown"`
	VanishedShown []Situation `json:"vanishedShown"`
	NewDead       string      `json:"newDead"`
	LostDead      string      `json:"lostDead"`
	NewDeadEnds   []Situation `json:"newDeadEnds"`
	LostDeadEnds  []Situation `json:"lostDeadEnds"`
	Died          []Clause    `json:"died"`
	Alive         []Clause    `json:"alive"`
	Unknown       string      `json:"unknown"`
}

// A Situation is a state and a run to it.
type Situation struct {
	Run []Firing     `json:"run"`
	End []PartyState `json:"end"`

	Differs []Change `json:"differs,omitempty"` // where the other side is elsewhere after the same steps
}

// A Clause is an element that can newly happen, or no longer.
type Clause struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Clause string `json:"clause"`
	Source *Range `json:"source"`
}

// An Exposure compares when a party has performed but not been performed for.
type Exposure struct {
	Party string   `json:"party"`
	Unit  string   `json:"unit,omitempty"`
	Base  *Exposed `json:"base"`
	Head  *Exposed `json:"head"`
}

// An Exposed is the exposure of a party in one version.
type Exposed struct {
	States string   `json:"states"`
	Of     string   `json:"of"`
	From   []string `json:"from"`
	To     []string `json:"to"`
	Ends   bool     `json:"ends"`
	None   bool     `json:"none,omitempty"`

	Lasts *Lasting `json:"lasts,omitempty"`
}

// A Lasting is how many ticks a party is exposed at least, and at most.
type Lasting struct {
	Least   int  `json:"least"`
	Most    int  `json:"most,omitempty"`
	Limited bool `json:"limited"`
}

// A Picture is the graph of both state models.
type Picture struct {
	Extent string         `json:"extent"`
	States []PictureState `json:"states"`
	Arcs   []PictureArc   `json:"arcs"`
	More   int            `json:"leftOut"`
}

// A PictureState is a node of a picture.
type PictureState struct {
	Words []PartyState `json:"words"`
	Start bool         `json:"start"`
	Stuck bool         `json:"stuck"`
	In    string       `json:"in"`
}

// A PictureArc is an arc of a picture.
type PictureArc struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Label string `json:"label"`
	In    string `json:"in"`
}

// A Refusal is the step of a run that base would have refused.
type Refusal struct {
	Step    int      `json:"step"`
	Instead []string `json:"instead"`
	Again   bool     `json:"again"`
	Later   *Later   `json:"later,omitempty"`
}

// A Blame has the changes that cause a violation.
type Blame struct {
	Blocks   []Block   `json:"blocks"`
	Smallest bool      `json:"smallest"`
	Reason   string    `json:"reason"`
	First    *FirstRun `json:"first,omitempty"`
}

// A FirstRun is the run of a violation that was found first, where another one is shown.
type FirstRun struct {
	Trace *Trace `json:"trace"`
	Run   string `json:"run"`
}

// A Block is a changed block of the text.
type Block struct {
	Name   string   `json:"name"`
	Action string   `json:"action"`
	Terms  []string `json:"terms"`
	Source *Range   `json:"source"`
	Was    *Range   `json:"was"`
}

// A Repair is a verified repair of a violation.
type Repair struct {
	What      string `json:"what"`
	Edits     []Edit `json:"edits"`
	OldWays   bool   `json:"oldWays,omitempty"`
	Others    int    `json:"others,omitempty"`
	Undecided int    `json:"undecided,omitempty"`
}

// An Edit replaces a range of the text.
type Edit struct {
	Range Range  `json:"range"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

func toDifference(d finding.Difference) Difference {
	return Difference{
		Changes:   words.Mapped(d.Changes, toTextChange),
		Behaviour: toBehaviour(d.All),
		Views: words.Mapped(d.Views, func(v finding.View) View {
			return View{Party: v.Party, In: sideWord(v.In), Behaviour: toBehaviour(v.Behaviour)}
		}),
		States: toStates(d.States),
		Acts:   words.Mapped(d.Acts, toAct),
		Exposure: words.Mapped(d.Exposure, func(e finding.Exposure) Exposure {
			return Exposure{Party: e.Party, Unit: e.Unit, Base: optional(e.Base, toExposed), Head: optional(e.Head, toExposed)}
		}),
		Picture: optional(d.Picture, toPicture),
	}
}

func sideWord(s diff.Side) string { return [...]string{"both", "base", "head"}[s] }

func toTextChange(c diff.Change) TextChange {
	return TextChange{
		Action: c.Action.String(), Element: c.Element.String(), Name: c.Name, Was: c.Was,
		Terms: words.Mapped(c.Terms, func(t diff.Term) Term { return Term(t) }),
		Base:  toRange(c.Base), Head: toRange(c.Head), Fingerprint: c.Fingerprint,
	}
}

// toRange returns nil if there is no file, and so no place.
func toRange(r hcl.Range) *Range {
	if r.Filename == "" {
		return nil
	}
	return &Range{r.Filename, Pos(r.Start), Pos(r.End)}
}

func toBehaviour(b finding.Behaviour) Behaviour {
	out := Behaviour{
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

func toOwed(o finding.Owed) Owed {
	return Owed{Relation: o.Relation.String(), Reason: o.Reason, Norms: words.Mapped(o.Norms, toNormDifference), Unshown: o.Unshown, Untimed: words.Mapped(o.Untimed, toNormDifference), Open: o.UntimedReason}
}

func toNormDifference(d finding.NormDifference) NormDifference {
	state := func(s finding.NormState) NormState { return NormState(s) }
	return NormDifference{
		Norm: d.Norm, Kind: d.Kind, Title: d.Title, Run: words.Mapped(d.Run, toFiring), Side: sideWord(d.Side), End: words.Mapped(d.End, toPartyState), Ends: toEnds(d.Ends),
		Was: words.Mapped(d.Was, state), Now: words.Mapped(d.Now, state), WasOver: d.WasOver, NowOver: d.NowOver, Better: words.Mapped(d.Better, same), Worse: words.Mapped(d.Worse, same), Alone: d.TimeAlone, Reason: d.Reason, Later: toLater(d.Later),
	}
}

func toSequence(s finding.Sequence) Sequence {
	return Sequence{Run: words.Mapped(s.Run, toFiring), Refused: s.Refused, Instead: words.Mapped(s.Instead, same), Later: toLater(s.Later)}
}

func toLater(l finding.Later) *Later {
	if l.Ticks == 0 {
		return nil
	}
	return &Later{l.Ticks, l.Unit}
}

func toChoice(c finding.Choice) Choice {
	side := diff.InBase
	if c.Head {
		side = diff.InHead
	}
	return Choice{
		Run: words.Mapped(c.Run, toFiring), Side: sideWord(side), Next: words.Mapped(c.Next, same),
		Others: words.Mapped(c.Others, func(o []string) []string { return words.Mapped(o, same) }),
	}
}

func toAct(a finding.Act) Act {
	ways := func(all [][]string) [][]string {
		return words.Mapped(all, func(way []string) []string { return words.Mapped(way, same) })
	}
	return Act{Event: a.Event, Title: a.Title, Was: ways(a.Was), Now: ways(a.Now), SeenBefore: words.Mapped(a.SeenBefore, same), SeenNow: words.Mapped(a.SeenNow, same),
		Better: words.Mapped(a.Better, same), Worse: words.Mapped(a.Worse, same)}
}

func toStates(s finding.States) States {
	n := s.Counts()
	return States{
		Appeared: n.Appeared.String(), Vanished: n.Vanished.String(),
		AppearedShown: words.Mapped(s.AppearedShown, toSituation), VanishedShown: words.Mapped(s.VanishedShown, toSituation),
		NewDead: n.NewDead.String(), LostDead: n.LostDead.String(),
		NewDeadEnds: words.Mapped(s.NewDeadEnds, toSituation), LostDeadEnds: words.Mapped(s.LostDeadEnds, toSituation),
		Died: words.Mapped(s.Died, toClause), Alive: words.Mapped(s.Alive, toClause), Unknown: s.Unknown,
	}
}

func toSituation(s finding.Situation) Situation {
	return Situation{Run: words.Mapped(s.Run, toFiring), End: words.Mapped(s.End, toPartyState), Differs: words.Mapped(s.Differs, toChange)}
}

func toClause(c finding.Clause) Clause {
	return Clause{Name: c.Name, Title: c.Title, Clause: c.Clause, Source: toRange(c.Source)}
}

func toExposed(e finding.Exposed) Exposed {
	return Exposed{
		States: strconv.Itoa(e.States), Of: strconv.Itoa(e.Of),
		From: words.Mapped(e.From, same), To: words.Mapped(e.To, same), Ends: e.Ends, None: e.None,
		Lasts: optional(e.Lasts, func(l finding.Lasting) Lasting { return Lasting(l) }),
	}
}

func toPicture(p finding.Picture) Picture {
	return Picture{
		Extent: p.Extent.String(), More: p.More,
		States: words.Mapped(p.States, func(s finding.PictureState) PictureState {
			return PictureState{Words: words.Mapped(s.Words, toPartyState), Start: s.Start, Stuck: s.Stuck, In: sideWord(s.In)}
		}),
		Arcs: words.Mapped(p.Arcs, func(a finding.PictureArc) PictureArc {
			return PictureArc{From: a.From, To: a.To, Label: a.Label, In: sideWord(a.In)}
		}),
	}
}

func toRefusal(r finding.Refusal) Refusal {
	return Refusal{Step: r.Step, Instead: words.Mapped(r.Instead, same), Again: r.Again, Later: toLater(r.Later)}
}

func toBlame(g finding.Blame) Blame {
	return Blame{
		Blocks:   words.Mapped(g.Blocks, toBlock),
		Smallest: g.Smallest, Reason: g.Reason,
		First: optional(g.First, func(r finding.FirstRun) FirstRun { return FirstRun{toTrace(r.Trace), r.Run} }),
	}
}

func toRepair(r finding.Repair) Repair {
	return Repair{What: r.What, OldWays: r.OldWays, Others: r.Others, Undecided: r.Undecided, Edits: words.Mapped(r.Edits, func(e finding.Edit) Edit {
		return Edit{Range: Range{e.Range.Filename, Pos(e.Range.Start), Pos(e.Range.End)}, Old: e.Old, New: e.New}
	})}
}
