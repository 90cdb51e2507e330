package mcc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/mcc"
)

// bare leaves out by which techniques answers were found.
func bare(answers string) string { return named.ReplaceAllString(answers, "") }

var named = regexp.MustCompile(` TECHNIQUES [A-Z_ ]*`)

// dir is a directory of a net and files of formulas.
func dir(net string, files map[string]string) fstest.MapFS {
	d := fstest.MapFS{"model.pnml": {Data: []byte(net)}}
	for name, text := range files {
		d[name+".xml"] = &fstest.MapFile{Data: []byte(text)}
	}
	return d
}

func examine(d fstest.MapFS, examination string, limits mcc.Limits) (string, error) {
	var out bytes.Buffer
	err := mcc.Examine(context.Background(), &out, d, examination, limits, false)
	return out.String(), err
}

// TestExaminationsAgreeWithDefinitions: each examination of random nets, by what its words mean.
func TestExaminationsAgreeWithDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyPlain(t)
		x := n.explore()
		want := map[string]string{}
		for name, holds := range map[string]func() bool{
			"OneSafe":              func() bool { return true },
			"ReachabilityDeadlock": func() bool { return x.some(n.dead) },
			"QuasiLiveness": func() bool {
				return each(len(n.in), func(t int) bool { return x.some(func(m []int) bool { return n.fireable(m, t) }) })
			},
			"Liveness":      func() bool { return each(len(n.in), x.live) },
			"StableMarking": func() bool { return !each(len(n.tokens), func(p int) bool { return !x.stable(p) }) },
		} {
			if x.safe {
				want[name] = verdict(name, holds())
			}
		}
		want["StateSpace"] = fmt.Sprintf("STATE_SPACE STATES %d\n", len(x.marks))
		files := map[string]string{}
		for _, name := range []string{"ReachabilityCardinality", "ReachabilityFireability", "CTLCardinality", "CTLFireability"} {
			properties := ""
			for i := range 3 {
				q := n.anyQuery(t, strings.HasSuffix(name, "Cardinality"), rapid.IntRange(0, 5).Draw(t, "depth"))
				id := fmt.Sprintf("%s-%d", name, i)
				properties += "<property><id>" + id + "</id><formula>" + q.xml + "</formula></property>"
				if x.safe {
					want[name] += verdict(id, x.holds(q))
				}
			}
			files[name] = "<property-set>" + properties + "</property-set>"
		}
		if !x.safe {
			for _, name := range mcc.Examinations() {
				want[name] = "DO_NOT_COMPETE\n"
			}
			want["OneSafe"] = verdict("OneSafe", false)
		}
		d := dir(n.pnml(), files)
		for _, name := range mcc.Examinations() {
			if have, err := examine(d, name, mcc.Limits{}); bare(have) != want[name] || err != nil {
				t.Fatalf("%s\n%s\n%s\nhave %s, %v\nexpected %s", name, n.pnml(), files[name], have, err, want[name])
			}
		}
	})
}

func each(n int, holds func(i int) bool) bool {
	for i := range n {
		if !holds(i) {
			return false
		}
	}
	return true
}

func verdict(id string, holds bool) string {
	return "FORMULA " + id + " " + strings.ToUpper(fmt.Sprint(holds)) + "\n"
}

// TestGeneratorMeetsAll: the law above would mean little if its nets were all alike.
func TestGeneratorMeetsAll(t *testing.T) {
	unsafe, dead, large := 0, 0, 0
	gen := rapid.Custom(anyPlain)
	for seed := range 300 {
		switch x := gen.Example(seed).explore(); {
		case !x.safe:
			unsafe++
		case x.some(x.dead):
			dead++
			fallthrough
		default:
			if len(x.marks) > 3 {
				large++
			}
		}
	}
	if unsafe < 20 || dead < 20 || large < 20 {
		t.Errorf("of 300 nets: %d not one-safe, %d with dead ends, %d with over 3 markings", unsafe, dead, large)
	}
}

func TestExamineErrors(t *testing.T) {
	for name, c := range map[string]struct {
		dir         fstest.MapFS
		examination string
		want        string
	}{
		"no net":         {fstest.MapFS{}, "StateSpace", "model.pnml"},
		"a broken net":   {dir("<pnml>", nil), "StateSpace", "PNML"},
		"no formulas":    {dir(lamp, nil), "CTLFireability", "CTLFireability.xml"},
		"bad formulas":   {dir(lamp, map[string]string{"CTLFireability": "<a/><b/>"}), "CTLFireability", "reading formulas"},
		"no examination": {dir(lamp, nil), "Upper", `no examination "Upper"`},
	} {
		if out, err := examine(c.dir, c.examination, mcc.Limits{}); out != "" || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
	if _, err := examine(fstest.MapFS{}, "StateSpace", mcc.Limits{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestExamineEnds: who cancels gets the cause, and no answer that sounds like the net's.
func TestExamineEnds(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	for _, name := range []string{"OneSafe", "StateSpace", "Liveness", "StableMarking"} {
		var out bytes.Buffer
		if err := mcc.Examine(ctx, &out, dir(lamp, nil), name, mcc.Limits{}, false); !errors.Is(err, cause) || out.Len() > 0 {
			t.Errorf("%s: %q, %v", name, out.String(), err)
		}
	}
}

// TestExamineTimeLimit: what a limit leaves open is said to be open.
func TestExamineTimeLimit(t *testing.T) {
	out, err := examine(dir(lamp, nil), "StateSpace", mcc.Limits{Time: time.Nanosecond})
	if want := "# StateSpace: reading PNML: the time limit ran out\nCANNOT_COMPUTE\n"; out != want || err != nil {
		t.Errorf("%q, %v, expected %q", out, err, want)
	}
}
