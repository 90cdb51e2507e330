package finding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/space"
)

// A Budget has the limits of the work on one version of one contract, the day on which waivers are judged, and the reader's interests. A
// limit that is reached makes verdicts unknown, and changes nothing else. Zero means no limit, and no day.
type Budget struct {
	States   int           // explicit reachable states
	Memory   Bytes         // of the state model; a quarter more for each requirement being decided
	Whole    Bytes         // the limit that Memory is a share of; 0: it is no share
	Time     time.Duration // from the first file to the last verdict
	Jobs     int           // goroutines
	Engine   Engine        // which method builds state models
	Patience int64         // steps on decision diagrams where another method could decide, too
	Reach    int64         // of these, steps for the reachable states; 0: all of them
	Progress func(states, arcs int)
	Phase    func(Phase)                      // called, by several goroutines, when another part of the work begins, and when more is known
	Turn     func(path string, begun, of int) // called, by several goroutines, when work on one of many contracts begins
	Today    Date                             // the day on which waivers are judged; redline reads no clock for it
	Observe  []string                         // parties and events whose differences a review reports; none: all
	Owed     bool                             // a review objects to a dropped or changed norm of base, unless the change is proved to be without effect

	Ended *atomic.Bool // set when time runs out on some of the work, or it is cancelled; may be nil
}

// A Phase is a part of the work on one contract, with what is known so far.
type Phase struct {
	Name                  string // such as exploring
	Decided, Of, Violated int    // requirements; Of is 0 while none is being decided
}

// Enter reports that a part of the work begins.
func (b Budget) Enter(name string) { b.report(Phase{Name: name}) }

// ProgressCounter returns a function to call with each requirement that has been decided, of so many. It reports how many are, and may be called by
// several goroutines.
func (b Budget) ProgressCounter(of int) func(*Requirement) {
	var decided, violated atomic.Int64
	b.report(Phase{Name: "deciding requirements", Of: of})
	return func(r *Requirement) {
		if r.Verdict == Violated {
			violated.Add(1)
		}
		b.report(Phase{"deciding requirements", int(decided.Add(1)), of, int(violated.Load())})
	}
}

// Silent returns the budget without reports.
func (b Budget) Silent() Budget {
	b.Progress, b.Phase = nil, nil
	return b
}

func (b Budget) report(p Phase) {
	if b.Phase != nil {
		b.Phase(p)
	}
}

// An Engine is a method of building state models, or of deciding without one.
type Engine string

const (
	Auto     Engine = ""         // explicit states while they are few, decision diagrams beside them when they are many
	Explicit Engine = "explicit" // explicit states
	Symbolic Engine = "symbolic" // decision diagrams
	Local    Engine = "local"    // no state model: visits only the states that the answer needs

	Reduced    Engine = "reduced"   // Local on a smaller net, in which the requirement has the same value
	Structural Engine = "structure" // no state model: the structure of the net decides some requirements
)

// ErrTime is the cause of a context that Budget.Time has ended.
var ErrTime = errors.New("the time limit ran out")

// Within returns a context with the budget's time limit. The cancel function sets b.Ended if the context ended before it was called.
func (b Budget) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.After(ctx, 0)
}

// After is like Within if some of the time is already spent.
func (b Budget) After(ctx context.Context, spent time.Duration) (context.Context, context.CancelFunc) {
	var limited context.Context
	var cancel context.CancelFunc
	if b.Time > 0 {
		limited, cancel = context.WithTimeoutCause(ctx, b.Time-spent, ErrTime)
	} else {
		limited, cancel = context.WithCancel(ctx)
	}
	return limited, func() {
		if b.Ended != nil && limited.Err() != nil {
			b.Ended.Store(true)
		}
		cancel()
	}
}

// readingGrace is how much longer than the limit reading a text may take. It leaves time to report what is unknown for all but the slowest
// texts.
const readingGrace = time.Second

// Reading returns a context with the time limit for reading one contract or net.
func (b Budget) Reading(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.Time <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, b.Time+readingGrace, ErrTime)
}

// Stopped is the error for a contract or net that could not be read within its time limit.
type Stopped struct{ Reason string }

func (s *Stopped) Error() string { return s.Reason }

// Stopped returns a *Stopped if err means that the time limit ran out, and err otherwise.
func (b Budget) Stopped(err error) error {
	if errors.Is(err, ErrTime) {
		return &Stopped{b.Reason(err)}
	}
	return err
}

// Share returns the budget with so many fifths of the memory.
func (b Budget) Share(fifths Bytes) Budget {
	b.Whole = cmp.Or(b.Whole, b.Memory)
	b.Memory = b.Memory.Part(5) * fifths
	return b
}

// limited names the limit of memory that was reached by what may use so much.
func (b Budget) limited(by int64, whose string) string {
	if whole := cmp.Or(b.Whole, b.Memory); Bytes(by) < whole {
		return fmt.Sprintf("%s share of the limit of %s of memory", whose, whole)
	}
	return fmt.Sprintf("the limit of %s of memory", Bytes(by))
}

// Reason returns an explanation, in a reader's words, of which limit was reached; err's own text if it was none.
func (b Budget) Reason(err error) string {
	var limit *space.LimitError
	var nodes *dd.LimitError
	var comparing *delta.LimitError
	switch {
	case errors.As(err, &comparing) && comparing.Steps > 0:
		return fmt.Sprintf("comparing both versions takes more than %s steps", Grouped(fmt.Sprint(comparing.Steps)))
	case errors.As(err, &comparing):
		return fmt.Sprintf("comparing both versions needs more than the limit of %s of memory (--max-memory)", cmp.Or(b.Whole, b.Memory))
	case errors.As(err, &limit) && limit.What == "states":
		return fmt.Sprintf("the limit of %s states was reached (--max-states)", Grouped(fmt.Sprint(limit.Limit)))
	case errors.As(err, &limit) && limit.What == "arcs":
		return fmt.Sprintf("there are more than %s steps between states", Grouped(fmt.Sprint(limit.Limit)))
	case errors.As(err, &nodes) && nodes.Work:
		return fmt.Sprintf("decision diagrams take more than %s steps", Grouped(fmt.Sprint(nodes.Limit)))
	case errors.As(err, &nodes):
		return fmt.Sprintf("decision diagrams need more than %s (--max-memory)", b.limited(nodes.Limit, "their"))
	case errors.As(err, &limit):
		return fmt.Sprintf("%s was reached after %s states (--max-memory)", b.limited(limit.Limit, "the states'"), Grouped(fmt.Sprint(limit.Explored)))
	case errors.Is(err, ctl.ErrTooManySets):
		return fmt.Sprintf("a formula needs more than a quarter of the limit of %s of memory (--max-memory)", cmp.Or(b.Whole, b.Memory))
	case errors.Is(err, ErrTime):
		return fmt.Sprintf("the time limit of %s ran out (--timeout)", b.Time)
	case errors.Is(err, context.Canceled):
		return "the run was cancelled"
	}
	return err.Error()
}

// Grouped puts commas between the thousands of a number.
func Grouped(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Bytes is an amount of memory, written 512MiB or 2GiB.
type Bytes int64

// Part returns one of so many equal parts, at least a byte: 0 would be no limit.
func (b Bytes) Part(of Bytes) Bytes {
	if b == 0 {
		return 0
	}
	return max(b/of, 1)
}

var units = []struct {
	name string
	size Bytes
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

func (b Bytes) String() string {
	for _, u := range units {
		if b >= u.size && b%u.size == 0 {
			return fmt.Sprintf("%d%s", b/u.size, u.name)
		}
	}
	if b > units[1].size {
		return fmt.Sprintf("%.0f%s", float64(b)/float64(units[1].size), units[1].name)
	}
	return fmt.Sprintf("%dB", int64(b))
}

// Set parses an amount, so that Bytes can be the value of a flag. It fails on anything but a number with a unit, and 0.
func (b *Bytes) Set(text string) error {
	unit := Bytes(1)
	digits := strings.TrimSuffix(text, "B")
	for _, u := range units {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			unit, digits = u.size, rest
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > int64(1<<62/unit) {
		return fmt.Errorf("%q is not an amount of memory: write 512MiB or 2GiB", text)
	}
	if n > 0 && digits == text {
		return errors.New("write an amount with its unit, as 512MiB or 2GiB")
	}
	*b = Bytes(n) * unit
	return nil
}

// Type returns the name of the value in a command's help.
func (b *Bytes) Type() string { return "size" }

// Turns returns a function that calls b.Turn with the number of the contract begun, of so many, counted from 1. It may be called by several
// goroutines.
func (b Budget) Turns(of int) func(path string) {
	var begun atomic.Int64
	return func(path string) {
		if b.Turn != nil {
			b.Turn(path, int(begun.Add(1)), of)
		}
	}
}
