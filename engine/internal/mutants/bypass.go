package mutants

import (
	"fmt"
	"strings"

	"golang.org/x/tools/txtar"
)

// A Bypass is a change by hand, by which the gate lets something through.
type Bypass struct {
	Number int
	Name   string
	File   string // from the repository's top, slash-separated
	Old    string // a condition (a line that begins with if or case), a statement (return, or an assignment), or an expression; once in the file
	New    string
	Tests  []string // each a package and a pattern of its tests, of which one has to fail
}

// ReadBypasses reads bypasses from a txtar archive, one a file, and numbers them from first on.
func ReadBypasses(list []byte, first int) ([]Bypass, error) {
	var all []Bypass
	for i, f := range txtar.Parse(list).Files {
		b := Bypass{Number: first + i, Name: f.Name}
		for line := range strings.Lines(string(f.Data)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch key {
			case "file":
				b.File = value
			case "old":
				b.Old = value
			case "new":
				b.New = value
			case "test":
				if strings.Contains(value, "-- ") {
					return nil, fmt.Errorf("bypass %s: a line end is missing after %s", b.Name, value)
				}
				b.Tests = append(b.Tests, value)
			case "":
			default:
				if strings.HasPrefix(key, "#") {
					continue
				}
				return nil, fmt.Errorf("bypass %s: there is no %q", b.Name, key)
			}
		}
		if b.File == "" || b.Old == "" || b.New == "" || len(b.Tests) == 0 {
			return nil, fmt.Errorf("bypass %s: file, old, new and test are needed", b.Name)
		}
		all = append(all, b)
	}
	return all, nil
}

// Plant puts bypasses into the text of their file. One whose old text is not there once is an error that names it.
func Plant(src string, list []Bypass) (string, error) {
	for _, b := range list {
		if n := strings.Count(src, b.Old); n != 1 {
			return "", fmt.Errorf("bypass %s no longer applies: %s has this text %d times, and not once: %s", b.Name, b.File, n, b.Old)
		}
	}
	for _, b := range list {
		src = strings.Replace(src, b.Old, b.guarded(), 1)
	}
	return src, nil
}

// guarded returns the text that behaves as the new one where the bypass is on.
func (b *Bypass) guarded() string {
	for _, form := range [][2]string{{"case ", ":"}, {"if ", " {"}} {
		was, ok := cut(b.Old, form)
		now, also := cut(b.New, form)
		if ok && also {
			before := ""
			if k := strings.LastIndex(was, "; "); k >= 0 { // if x := f(); x > 0
				before, was = was[:k+2], was[k+2:]
				now = strings.TrimPrefix(now, before)
			}
			return fmt.Sprintf("%s%smutant(%d) && (%s) || !mutant(%[3]d) && (%[5]s)%[6]s", form[0], before, b.Number, now, was, form[1])
		}
	}
	if strings.HasPrefix(b.Old, "return ") || strings.Contains(b.Old, " = ") {
		return fmt.Sprintf("if mutant(%d) { %s } else { %s }", b.Number, b.New, b.Old)
	}
	return fmt.Sprintf("mutantPick(%d, %s, %s)", b.Number, b.New, b.Old)
}

func cut(line string, form [2]string) (string, bool) {
	rest, ok := strings.CutPrefix(line, form[0])
	rest, also := strings.CutSuffix(rest, form[1])
	return rest, ok && also
}
