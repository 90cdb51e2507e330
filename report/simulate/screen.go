package simulate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/play"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/text"
)

// keys are explained in the last line.
const keys = "↑↓ choose  Enter do it  u undo  r random  t requirements  l link  s save  q quit"

// A screen is what is shown of a game.
type screen struct {
	*Desk
	tcell.Screen
	chosen   int     // of what can happen
	promises bool    // requirements are shown instead of the run
	message  string  // of the last command
	name     *string // of a file, while it is typed
}

var (
	plain  = tcell.StyleDefault
	strong = plain.Bold(true)
	weak   = plain.Dim(true)
	bar    = plain.Reverse(true)
)

// Screen plays on a screen, which is at work already, until it is left.
func (d *Desk) Screen(ctx context.Context, s tcell.Screen) error {
	stop := context.AfterFunc(ctx, func() { _ = s.PostEvent(tcell.NewEventInterrupt(nil)) })
	defer stop()
	at := &screen{Desk: d, Screen: s}
	for ctx.Err() == nil {
		at.draw()
		switch event := s.PollEvent().(type) {
		case nil:
			return nil // the screen is gone
		case *tcell.EventResize:
			s.Sync()
		case *tcell.EventKey:
			if err := at.key(ctx, event); errors.Is(err, errQuit) {
				return nil
			} else if err != nil {
				at.message = err.Error()
			}
		}
	}
	return context.Cause(ctx)
}

// key does what a key is for.
func (s *screen) key(ctx context.Context, k *tcell.EventKey) error {
	if s.name != nil {
		return s.typed(k)
	}
	s.message = ""
	steps, _ := s.Game.Choices()
	switch k.Key() {
	case tcell.KeyCtrlC, tcell.KeyCtrlD:
		return errQuit
	case tcell.KeyUp:
		s.chosen = max(0, s.chosen-1)
	case tcell.KeyDown:
		s.chosen = min(s.chosen+1, max(0, len(steps)-1))
	case tcell.KeyEnter:
		if len(steps) == 0 {
			return errNothing
		}
		err := s.Game.Fire(steps[s.chosen])
		s.chosen = 0
		return err
	case tcell.KeyRune:
		return s.letter(ctx, k.Rune())
	}
	return nil
}

func (s *screen) letter(ctx context.Context, r rune) error {
	switch r {
	case 'u':
		s.chosen = 0
		return s.undo(io.Discard, "")
	case 'r':
		s.chosen = 0
		return s.random(ctx, io.Discard, "")
	case 't':
		s.promises = !s.promises
	case 'l':
		s.message = conform.Link(s.Game.Text())
	case 's':
		s.name = new(string)
	case 'q':
		return errQuit
	}
	return nil
}

// typed takes a key of the name of a file.
func (s *screen) typed(k *tcell.EventKey) error {
	switch k.Key() {
	case tcell.KeyEscape, tcell.KeyCtrlC:
		s.name = nil
	case tcell.KeyBackspace, tcell.KeyBackspace2:
		if letters := []rune(*s.name); len(letters) > 0 {
			*s.name = string(letters[:len(letters)-1])
		}
	case tcell.KeyRune:
		*s.name += string(k.Rune())
	case tcell.KeyEnter:
		name := *s.name
		s.name = nil
		if name == "" {
			return errors.New("no file was named")
		}
		if err := s.Save(name, s.Game.Text()); err != nil {
			return err
		}
		s.message = "saved: " + name
	}
	return nil
}

// beside is how wide a screen has to be for two columns.
const beside = 100

func (s *screen) draw() {
	s.Clear()
	width, height := s.Size()
	s.line(0, 0, width, bar, pad(s.heading(), width))
	left, rows := width, height-3
	if width >= beside {
		left = width / 2
		s.past(left+2, 1, width-left-2, rows)
	}
	used := s.text(0, 1, left, rows*2/3, s.written(left, text.Position))
	used += s.choices(0, 1+used, left, rows-used)
	if width < beside {
		s.past(0, 2+used, width, rows-used-1)
	}
	if steps, _ := s.Game.Choices(); s.chosen < len(steps) { // whole, where the list has no room for it
		s.line(0, height-2, width, weak, "> "+text.Choice(s.Game, steps[s.chosen]))
	}
	s.line(0, height-1, width, bar, pad(s.foot(), width))
	s.Show()
}

func (s *screen) heading() string {
	spec := s.Game.Draft.Spec
	name := escape.TerminalText(spec.Name)
	if spec.Title != "" {
		name += " — " + escape.TerminalText(spec.Title)
	}
	return name
}

func (s *screen) foot() string {
	switch {
	case s.name != nil:
		return "Save the run to: " + escape.TerminalText(*s.name) + "_"
	case s.message != "":
		return escape.TerminalText(s.message)
	}
	return keys
}

// choices lists what can happen around the one that is chosen; it says how many lines that took.
func (s *screen) choices(x, y, width, rows int) int {
	steps, more := s.Game.Choices()
	if len(steps) == 0 || rows < 2 {
		return s.text(x, y, width, rows, []string{"Nothing can happen any more."})
	}
	if s.chosen >= len(steps) {
		s.chosen = 0
	}
	heading := fmt.Sprintf("What can happen (%d of %d):", s.chosen+1, len(steps))
	if more {
		heading = strings.TrimSuffix(heading, "):") + " and more):"
	}
	s.line(x, y, width, strong, heading)
	first := max(0, min(s.chosen-(rows-1)/2, len(steps)-rows+1))
	last := min(len(steps), first+rows-1)
	for i := first; i < last; i++ {
		style, mark := plain, "  "
		if i == s.chosen {
			style, mark = bar, "> "
		}
		s.line(x, y+1+i-first, width, style, mark+text.Choice(s.Game, steps[i]))
	}
	return 1 + last - first
}

// past shows the end of the run, or what it says of the requirements.
func (s *screen) past(x, y, width, rows int) {
	if rows < 2 {
		return
	}
	if s.promises {
		s.line(x, y, width, strong, "What the run says of the requirements:")
		s.text(x, y+1, width, rows-1, s.written(width, text.Sayings))
		return
	}
	s.line(x, y, width, strong, "What has happened:")
	from := max(0, s.Game.Steps()-rows)
	lines := s.written(width, func(w io.Writer, g *play.Game, style text.Style) error { return text.Steps(w, g, from, style) })
	s.text(x, y+1, width, rows-1, lines[max(0, len(lines)-rows+1):])
}

// written are the lines of a report in plain text.
func (s *screen) written(width int, write func(io.Writer, *play.Game, text.Style) error) []string {
	var b strings.Builder
	if err := write(&b, s.Game, text.Style{Width: max(width, 1)}); err != nil {
		panic(err) // a builder takes everything
	}
	if b.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// text shows lines, as many as there is room for; it says how many.
func (s *screen) text(x, y, width, rows int, lines []string) int {
	shown := max(0, min(rows, len(lines)))
	for i, l := range lines[:shown] {
		style := plain
		if i == shown-1 && shown < len(lines) {
			l, style = "…", weak
		}
		s.line(x, y+i, width, style, l)
	}
	return shown
}

// line shows a text in one line, as much of it as there is room for. Control characters have been taken out of it.
func (s *screen) line(x, y, width int, style tcell.Style, text string) {
	state := -1
	for text != "" && width > 0 {
		var cluster string
		var w int
		cluster, text, w, state = uniseg.FirstGraphemeClusterInString(text, state)
		if w > width {
			return
		}
		runes := []rune(cluster)
		s.SetContent(x, y, runes[0], runes[1:], style)
		x, width = x+w, width-w
	}
}

// pad fills a text with blanks.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-uniseg.StringWidth(text)))
}
