package simulate

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/play"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// Help explains the protocol of lines.
const Help = `?                where the parties stand, what is owed, what can happen
N or NAME        let that happen: by its number, its event, or party.transition
N days           let so much time pass, in the unit of the contract, or in ticks
undo [N]         take the last step, or the last N, back
random [N]       one step, or N, at random
requirements     what the run says of each requirement
run              the run so far, as 'redline replay' reads it
link             the run as a link
scenario [NAME]  the run as a scenario, to be put into the contract
save FILE        write the run to a file
quit
`

// maxCommand bounds a line.
const maxCommand = 64 << 10

// A Desk is where commands are carried out.
type Desk struct {
	Game   *play.Game
	Rand   *rand.Rand
	Style  text.Style
	Prompt string // before each command that is read; empty in a pipe
	Save   func(name, text string) error
}

var (
	errQuit    = errors.New("quit") // it ends a session
	errNothing = errors.New("nothing can happen any more")
)

// Lines reads a command a line, and tells on out what came of it. What can't be done is told to complain, and at the end by failed.
func (d *Desk) Lines(ctx context.Context, in io.Reader, out io.Writer, complain func(error)) (failed bool, err error) {
	commands, ended := read(ctx, in)
	for {
		if _, err := io.WriteString(out, d.Prompt); err != nil {
			return failed, err
		}
		select {
		case <-ctx.Done():
			return failed, context.Cause(ctx)
		case command, more := <-commands:
			if !more {
				return failed, <-ended
			}
			switch err := d.Do(ctx, out, command); {
			case errors.Is(err, errQuit):
				return failed, nil
			case err != nil:
				failed = true
				complain(err)
			}
		}
	}
}

// read reads lines beside whoever waits for them, since nothing but a line ends the waiting of a reader.
func read(ctx context.Context, in io.Reader) (commands chan string, ended chan error) {
	commands, ended = make(chan string), make(chan error, 1)
	go func() {
		defer close(commands)
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, maxCommand)
		for lines.Scan() {
			select {
			case commands <- lines.Text():
			case <-ctx.Done():
				return
			}
		}
		err := lines.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("a command has at most %d bytes", maxCommand)
		}
		ended <- err
	}()
	return commands, ended
}

// Do carries out one command.
func (d *Desk) Do(ctx context.Context, out io.Writer, line string) error {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		return nil
	case "?":
		if err := text.Position(out, d.Game, d.Style); err != nil {
			return err
		}
		return text.Choices(out, d.Game, d.Style)
	case "help":
		_, err := io.WriteString(out, Help)
		return err
	case "undo":
		return d.undo(out, rest)
	case "random":
		return d.random(ctx, out, rest)
	case "requirements":
		return text.Sayings(out, d.Game, d.Style)
	case "run":
		_, err := io.WriteString(out, d.Game.Text())
		return err
	case "link":
		_, err := fmt.Fprintln(out, conform.Link(d.Game.Text()))
		return err
	case "scenario":
		block, err := d.Game.Scenario(cmp.Or(rest, "story"))
		if err == nil {
			_, err = io.WriteString(out, block)
		}
		return err
	case "save":
		if rest == "" {
			return errors.New("save: name a file")
		}
		if err := d.Save(rest, d.Game.Text()); err != nil {
			return err
		}
		_, err := fmt.Fprintln(out, "saved: "+rest)
		return err
	case "quit", "exit":
		return errQuit
	}
	return d.fire(out, strings.TrimSpace(line))
}

// times is a number of times; none is one.
func times(text string) (int, error) {
	if text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > play.MaxSteps {
		return 0, fmt.Errorf("%q is no number from 1 to %d", text, play.MaxSteps)
	}
	return n, nil
}

func (d *Desk) undo(out io.Writer, text string) error {
	n, err := times(text)
	if err != nil {
		return err
	}
	if d.Game.Steps() == 0 {
		return errors.New("nothing has happened yet")
	}
	for range n {
		d.Game.Undo()
	}
	_, err = fmt.Fprintf(out, "Back to step %d.\n", d.Game.Steps())
	return err
}

func (d *Desk) random(ctx context.Context, out io.Writer, many string) error {
	n, err := times(many)
	if err != nil {
		return err
	}
	from, going := d.Game.Steps(), true
	for i := 0; i < n && going && err == nil; i++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		going, err = d.Game.Random(d.Rand)
	}
	if d.Game.Steps() == from && err == nil {
		return errNothing
	}
	if failed := text.Steps(out, d.Game, from, d.Style); failed != nil {
		return failed
	}
	if !going {
		_, err = fmt.Fprintln(out, "Nothing can happen any more.")
	}
	return err
}

// fire takes the step that has a number, or a name.
func (d *Desk) fire(out io.Writer, name string) error {
	from := d.Game.Steps()
	many, name, err := d.passing(name)
	if err == nil && many > 1 {
		err = d.wait(many)
	} else if err == nil {
		err = d.fireOnce(name)
	}
	if d.Game.Steps() == from {
		return err
	}
	return errors.Join(text.Steps(out, d.Game, from, d.Style), err)
}

// wait lets so many ticks pass. What is due before the last of them happens by itself. The error says how many passed.
func (d *Desk) wait(ticks int) (err error) {
	for passed := 0; passed < ticks && err == nil; passed++ {
		steps, _ := d.Game.Choices()
		for ; err == nil && len(steps) == 1 && d.dueNow(steps) != nil; steps, _ = d.Game.Choices() {
			err = d.Game.Fire(steps[0])
		}
		if err == nil {
			err = d.fireOnce(hclspec.Tick)
		}
		if err != nil {
			err = fmt.Errorf("only %d of %d %ss have passed: %w", passed, ticks, cmp.Or(d.Game.Draft.Spec.Tick, hclspec.Tick), err)
		}
	}
	return err
}

// dueNow returns the event that goes before anything else now, since it happens by itself; nil if there is none.
func (d *Desk) dueNow(steps [][]int) *hclspec.Event {
	for _, step := range steps {
		for _, t := range step {
			if e := explain.Event(d.Game.Draft, t); e != nil && e.Due != nil {
				return e
			}
		}
	}
	return nil
}

func (d *Desk) fireOnce(name string) error {
	steps, _ := d.Game.Choices()
	which, err := d.choose(name, steps)
	if err != nil {
		return err
	}
	return d.Game.Fire(steps[which])
}

// passing reads a time, such as "3 ticks" or "10 days": so many ticks. Any other name is meant once.
func (d *Desk) passing(name string) (many int, of string, err error) {
	number, unit, _ := strings.Cut(strings.Trim(name, `"`), " ")
	n, err := strconv.Atoi(number)
	if err != nil || unit == "" {
		return 1, name, nil
	}
	tick := cmp.Or(d.Game.Draft.Spec.Tick, hclspec.Tick)
	if unit = strings.TrimSpace(unit); !slices.Contains([]string{hclspec.Tick, hclspec.Tick + "s", tick, tick + "s"}, unit) {
		return 0, "", fmt.Errorf("%s is no time here: write it in %ss, as in 3 %ss", name, tick, tick)
	}
	if n < 1 || n > play.MaxSteps {
		return 0, "", fmt.Errorf("%q is no number from 1 to %d", number, play.MaxSteps)
	}
	return n, hclspec.Tick, nil
}

// choose finds the step that is meant.
func (d *Desk) choose(name string, steps [][]int) (int, error) {
	if n, err := strconv.Atoi(name); err == nil {
		if n < 1 || n > len(steps) {
			return 0, fmt.Errorf("there is no choice %d: type ? for the list", n)
		}
		return n - 1, nil
	}
	var found []int
	var known []string
	for i, step := range steps {
		for _, t := range step {
			names := d.names(t)
			if known = append(known, names...); slices.Contains(names, name) && !slices.Contains(found, i) {
				found = append(found, i)
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return 0, fmt.Errorf("%s can happen in several ways: choose a number of %s", name, numbers(found))
	}
	if err := d.unknown(name, known); err != nil {
		return 0, err
	}
	if e := d.dueNow(steps); e != nil {
		return 0, fmt.Errorf("%s can't happen here: %s happens by itself before anything else", name, words.Happening(finding.Firing{Event: e.Name, Title: e.Title}, words.Terminal))
	}
	if name == hclspec.Tick {
		return 0, errors.New("time can't pass here: nothing waits for it")
	}
	if near := hclspec.Nearest(name, known); near != "" {
		return 0, fmt.Errorf("%s can't happen here; did you mean %s?", name, near)
	}
	return 0, fmt.Errorf("%s can't happen here: type ? for what can, or help", name)
}

// unknown returns an error for a name that no step ever has, with the nearest: among those that can be taken here, or else among all.
func (d *Desk) unknown(name string, here []string) error {
	var all []string
	for t := range d.Game.Draft.Net.Transitions {
		if all = append(all, d.names(t)...); slices.Contains(all, name) {
			return nil
		}
		if e := explain.Event(d.Game.Draft, t); e != nil && e.Of == name { // any of several
			return nil
		}
	}
	if near := cmp.Or(hclspec.Nearest(name, here), hclspec.Nearest(name, all)); near != "" {
		return fmt.Errorf("there is no event or transition %s; did you mean %s?", name, near)
	}
	return fmt.Errorf("there is no event or transition %s: type ? for what can happen here, or help", name)
}

// names are what a transition can be called here.
func (d *Desk) names(t int) []string {
	names := []string{explain.TransitionName(d.Game.Draft, t)}
	if e := explain.Event(d.Game.Draft, t); e != nil {
		names = append(names, e.Name)
	}
	return names
}

func numbers(list []int) string {
	var words []string
	for _, i := range list {
		words = append(words, strconv.Itoa(i+1))
	}
	return strings.Join(words, ", ")
}
