package report

import (
	"strconv"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

type jsonDifference struct {
	Changes   []jsonTextChange `json:"changes"`
	Behaviour jsonBehaviour    `json:"behaviour"`
	Views     []jsonView       `json:"views"`
	States    jsonStates       `json:"states"`
	Exposure  []jsonExposure   `json:"exposure"`
	Picture   *jsonPicture     `json:"picture"`
}

type jsonTextChange struct {
	Action      string     `json:"action"`
	Element     string     `json:"element"`
	Name        string     `json:"name"`
	Was         string     `json:"was"`
	Terms       []jsonTerm `json:"terms"`
	Base        *jsonRange `json:"base"`
	Head        *jsonRange `json:"head"`
	Fingerprint string     `json:"fingerprint"`
}

type jsonTerm struct {
	Word string `json:"word"`
	Was  string `json:"was"`
	Now  string `json:"now"`
}

type jsonRange struct {
	File  string  `json:"file"`
	Start jsonPos `json:"start"`
	End   jsonPos `json:"end"`
}

type jsonPos struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

type jsonBehaviour struct {
	Observed   *[]string      `json:"observed"`
	Relation   string         `json:"relation"`
	Reason     string         `json:"reason"`
	Possible   []jsonSequence `json:"possible"`
	Impossible []jsonSequence `json:"impossible"`
	Choice     *jsonChoice    `json:"choice"`
	MoreThan   int            `json:"leftOut"`
	Owed       *jsonOwed      `json:"owed"`
}

type jsonOwed struct {
	Relation string               `json:"relation"`
	Reason   string               `json:"reason"`
	Norms    []jsonNormDifference `json:"norms"`
	Unshown  int                  `json:"unshown"`
}

type jsonNormDifference struct {
	Norm   string           `json:"norm"`
	Kind   string           `json:"kind"`
	Title  string           `json:"title"`
	Run    []jsonFiring     `json:"run"`
	Side   string           `json:"side"`
	End    []jsonPartyState `json:"end"`
	Was    []jsonNormState  `json:"was"`
	Now    []jsonNormState  `json:"now"`
	Better []string         `json:"better"`
	Worse  []string         `json:"worse"`
}

type jsonNormState struct {
	State        string `json:"state"`
	Bearer       string `json:"bearer"`
	Counterparty string `json:"counterparty"`
	Ticks        int    `json:"ticks"`
}

type jsonSequence struct {
	Run     []jsonFiring `json:"run"`
	Refused string       `json:"refused"`
	Instead []string     `json:"instead"`
}

type jsonChoice struct {
	Run    []jsonFiring `json:"run"`
	Side   string       `json:"side"`
	Next   []string     `json:"next"`
	Others [][]string   `json:"others"`
}

type jsonView struct {
	Party     string        `json:"party"`
	In        string        `json:"in"`
	Behaviour jsonBehaviour `json:"behaviour"`
}

type jsonStates struct {
	Appeared      string          `json:"appeared"`
	Vanished      string          `json:"vanished"`
	AppearedShown []jsonSituation `json:"appearedShown"`
	VanishedShown []jsonSituation `json:"vanishedShown"`
	NewDead       string          `json:"newDead"`
	LostDead      string          `json:"lostDead"`
	NewDeadEnds   []jsonSituation `json:"newDeadEnds"`
	LostDeadEnds  []jsonSituation `json:"lostDeadEnds"`
	Died          []jsonClause    `json:"died"`
	Alive         []jsonClause    `json:"alive"`
	Unknown       string          `json:"unknown"`
}

type jsonSituation struct {
	Run []jsonFiring     `json:"run"`
	End []jsonPartyState `json:"end"`
}

type jsonClause struct {
	Name   string     `json:"name"`
	Title  string     `json:"title"`
	Clause string     `json:"clause"`
	Source *jsonRange `json:"source"`
}

type jsonExposure struct {
	Party string       `json:"party"`
	Base  *jsonExposed `json:"base"`
	Head  *jsonExposed `json:"head"`
}

type jsonExposed struct {
	States string   `json:"states"`
	Of     string   `json:"of"`
	From   []string `json:"from"`
	To     []string `json:"to"`
	Ends   bool     `json:"ends"`
}

type jsonPicture struct {
	Extent string             `json:"extent"`
	States []jsonPictureState `json:"states"`
	Arcs   []jsonPictureArc   `json:"arcs"`
	More   int                `json:"leftOut"`
}

type jsonPictureState struct {
	Words []jsonPartyState `json:"words"`
	Start bool             `json:"start"`
	Stuck bool             `json:"stuck"`
	In    string           `json:"in"`
}

type jsonPictureArc struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Label string `json:"label"`
	In    string `json:"in"`
}

type jsonRefusal struct {
	Step    int      `json:"step"`
	Instead []string `json:"instead"`
	Again   bool     `json:"again"`
}

type jsonGuilt struct {
	Blocks   []jsonBlock `json:"blocks"`
	Smallest bool        `json:"smallest"`
	Reason   string      `json:"reason"`
}

type jsonBlock struct {
	Name   string     `json:"name"`
	Action string     `json:"action"`
	Terms  []string   `json:"terms"`
	Source *jsonRange `json:"source"`
	Was    *jsonRange `json:"was"`
}

type jsonRepair struct {
	What  string     `json:"what"`
	Edits []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	Range jsonRange `json:"range"`
	Old   string    `json:"old"`
	New   string    `json:"new"`
}

func toDifference(d engine.Difference) jsonDifference {
	return jsonDifference{
		Changes:   mapped(d.Changes, toTextChange),
		Behaviour: toBehaviour(d.All),
		Views: mapped(d.Views, func(v engine.View) jsonView {
			return jsonView{Party: v.Party, In: sideWord(v.In), Behaviour: toBehaviour(v.Behaviour)}
		}),
		States: toStates(d.States),
		Exposure: mapped(d.Exposure, func(e engine.Exposure) jsonExposure {
			return jsonExposure{Party: e.Party, Base: optional(e.Base, toExposed), Head: optional(e.Head, toExposed)}
		}),
		Picture: optional(d.Picture, toPicture),
	}
}

func sideWord(s delta.Side) string { return [...]string{"both", "base", "head"}[s] }

func toTextChange(c delta.Change) jsonTextChange {
	return jsonTextChange{
		Action: c.Action.String(), Element: c.Element.String(), Name: c.Name, Was: c.Was,
		Terms: mapped(c.Terms, func(t delta.Term) jsonTerm { return jsonTerm(t) }),
		Base:  toRange(c.Base), Head: toRange(c.Head), Fingerprint: c.Fingerprint,
	}
}

// toRange is null where there is no file, and so no place.
func toRange(r hcl.Range) *jsonRange {
	if r.Filename == "" {
		return nil
	}
	return &jsonRange{r.Filename, jsonPos(r.Start), jsonPos(r.End)}
}

func toBehaviour(b engine.Behaviour) jsonBehaviour {
	out := jsonBehaviour{
		Relation: b.Relation.String(), Reason: b.Reason,
		Possible: mapped(b.Possible, toSequence), Impossible: mapped(b.Impossible, toSequence),
		Choice: optional(b.Choice, toChoice), MoreThan: b.MoreThan, Owed: optional(b.Owed, toOwed),
	}
	if b.Observed != nil {
		names := mapped(b.Observed, same)
		out.Observed = &names
	}
	return out
}

func toOwed(o engine.Owed) jsonOwed {
	return jsonOwed{Relation: o.Relation.String(), Reason: o.Reason, Norms: mapped(o.Norms, toNormDifference), Unshown: o.Unshown}
}

func toNormDifference(d engine.NormDifference) jsonNormDifference {
	state := func(s engine.NormState) jsonNormState { return jsonNormState(s) }
	return jsonNormDifference{
		Norm: d.Norm, Kind: d.Kind, Title: d.Title, Run: mapped(d.Run, toFiring), Side: sideWord(d.Side), End: mapped(d.End, toPartyState),
		Was: mapped(d.Was, state), Now: mapped(d.Now, state), Better: mapped(d.Better, same), Worse: mapped(d.Worse, same),
	}
}

func toSequence(s engine.Sequence) jsonSequence {
	return jsonSequence{Run: mapped(s.Run, toFiring), Refused: s.Refused, Instead: mapped(s.Instead, same)}
}

func toChoice(c engine.Choice) jsonChoice {
	side := delta.InBase
	if c.Head {
		side = delta.InHead
	}
	return jsonChoice{
		Run: mapped(c.Run, toFiring), Side: sideWord(side), Next: mapped(c.Next, same),
		Others: mapped(c.Others, func(o []string) []string { return mapped(o, same) }),
	}
}

func toStates(s engine.States) jsonStates {
	n := s.Counts()
	return jsonStates{
		Appeared: n.Appeared.String(), Vanished: n.Vanished.String(),
		AppearedShown: mapped(s.AppearedShown, toSituation), VanishedShown: mapped(s.VanishedShown, toSituation),
		NewDead: n.NewDead.String(), LostDead: n.LostDead.String(),
		NewDeadEnds: mapped(s.NewDeadEnds, toSituation), LostDeadEnds: mapped(s.LostDeadEnds, toSituation),
		Died: mapped(s.Died, toClause), Alive: mapped(s.Alive, toClause), Unknown: s.Unknown,
	}
}

func toSituation(s engine.Situation) jsonSituation {
	return jsonSituation{Run: mapped(s.Run, toFiring), End: mapped(s.End, toPartyState)}
}

func toClause(c engine.Clause) jsonClause {
	return jsonClause{Name: c.Name, Title: c.Title, Clause: c.Clause, Source: toRange(c.Source)}
}

func toExposed(e engine.Exposed) jsonExposed {
	return jsonExposed{
		States: strconv.Itoa(e.States), Of: strconv.Itoa(e.Of),
		From: mapped(e.From, same), To: mapped(e.To, same), Ends: e.Ends,
	}
}

func toPicture(p engine.Picture) jsonPicture {
	return jsonPicture{
		Extent: p.Extent.String(), More: p.More,
		States: mapped(p.States, func(s engine.PictureState) jsonPictureState {
			return jsonPictureState{Words: mapped(s.Words, toPartyState), Start: s.Start, Stuck: s.Stuck, In: sideWord(s.In)}
		}),
		Arcs: mapped(p.Arcs, func(a engine.PictureArc) jsonPictureArc {
			return jsonPictureArc{From: a.From, To: a.To, Label: a.Label, In: sideWord(a.In)}
		}),
	}
}

func toRefusal(r engine.Refusal) jsonRefusal {
	return jsonRefusal{Step: r.Step, Instead: mapped(r.Instead, same), Again: r.Again}
}

func toGuilt(g engine.Guilt) jsonGuilt {
	return jsonGuilt{
		Blocks:   mapped(g.Blocks, toBlock),
		Smallest: g.Smallest, Reason: g.Reason,
	}
}

func toRepair(r engine.Repair) jsonRepair {
	return jsonRepair{What: r.What, Edits: mapped(r.Edits, func(e engine.Edit) jsonEdit {
		return jsonEdit{Range: jsonRange{e.Range.Filename, jsonPos(e.Range.Start), jsonPos(e.Range.End)}, Old: e.Old, New: e.New}
	})}
}
