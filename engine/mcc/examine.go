package mcc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/pnml"
	"github.com/redlinehq/redline/engine/structure"
)

// Examinations returns the names of the supported examinations.
func Examinations() []string {
	return []string{"StateSpace", "OneSafe", "ReachabilityDeadlock", "QuasiLiveness", "StableMarking", "Liveness",
		"ReachabilityCardinality", "ReachabilityFireability", "CTLCardinality", "CTLFireability"}
}

// Limits bound the work on one question.
type Limits struct {
	Bytes int64         // of all state models together; 0: no limit
	Time  time.Duration // to read the net, and for one question, with the state model if it is the first; 0: no limit
}

// Examine answers an examination of the net in dir/model.pnml. Formulas are in dir/<examination>.xml if the examination has a file. It writes
// one line for each answer, by the contest's rules:
//
//	FORMULA <id> TRUE|FALSE TECHNIQUES ...
//	STATE_SPACE STATES <n> TECHNIQUES ...
//	CANNOT_COMPUTE, after the ids of the questions that a limit left unknown
//	DO_NOT_COMPETE, for a net that is not one-safe
//
// With stats, a line that begins with # comes before each answer. It reports how much of the formula the net alone decided, and how much smaller
// the net became for the rest. It does not report the methods that ran side by side, since that depends on which was first.
//
// An error means that dir or w failed, or that a text in dir is malformed.
func Examine(ctx context.Context, w io.Writer, dir fs.FS, examination string, limits Limits, stats bool) error {
	e := &examiner{limits: limits, out: w}
	reading, cancel := e.timed(ctx)
	defer cancel()
	net, err := model(reading, dir)
	switch {
	case errors.Is(err, errTime):
		return e.cannot(ctx, err, examination)
	case errors.Is(err, pnml.ErrNotOneSafe):
		return unsafe(w, examination)
	}
	if err != nil {
		return err
	}
	questions, err := questions(dir, examination, net)
	if err != nil {
		return err
	}
	e.net, e.structure = net, structure.New(net)
	if stats {
		e.took = &took{}
	}
	if safe, err := e.oneSafe(ctx); err != nil {
		return e.cannot(ctx, err, examination)
	} else if !safe {
		return unsafe(w, examination)
	}
	switch examination {
	case "OneSafe":
		return e.formula(examination, true, techniques)
	case "StateSpace":
		return e.count(ctx)
	case "StableMarking":
		return e.stable(ctx)
	}
	return e.ask(ctx, questions)
}

// model returns the net.
func model(ctx context.Context, dir fs.FS) (*petri.Net, error) {
	f, err := dir.Open("model.pnml")
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	return pnml.Read(pnml.Stoppable(ctx, f))
}

// unsafe writes the answer for a net that is not one-safe.
func unsafe(w io.Writer, examination string) error {
	line := "DO_NOT_COMPETE"
	if examination == "OneSafe" {
		line = "FORMULA OneSafe FALSE TECHNIQUES " + techniques
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// questions returns the formulas of an examination: those of its file, or those that its name means.
func questions(dir fs.FS, examination string, n *petri.Net) ([]question, error) {
	switch {
	case strings.HasSuffix(examination, "Cardinality"), strings.HasSuffix(examination, "Fireability"):
		f, err := dir.Open(examination + ".xml")
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // only read from
		return Read(f, n)
	case examination == "ReachabilityDeadlock":
		return []question{{examination, deadlock()}}, nil
	case examination == "QuasiLiveness", examination == "Liveness":
		return []question{{examination, everyTransition(n, examination == "Liveness")}}, nil
	case slices.Contains(Examinations(), examination):
		return nil, nil
	}
	return nil, fmt.Errorf("there is no examination %q; there are %s", examination, strings.Join(Examinations(), ", "))
}
