package mutants

import (
	"fmt"
	"strings"

	"golang.org/x/tools/txtar"
)

// A bypass is a change by hand, by which the gate lets something through.
type bypass struct {
	number int
	name   string
	file   string // from the repository's top, slash-separated
	old    string // a condition (a line that begins with if or case), a statement (return, or an assignment), or an expression; once in the file
	new    string
	tests  []string // each a package and a pattern of its tests, of which one has to fail
}

// readBypasses reads bypasses from a txtar archive, one a file, and numbers them from first on.
func readBypasses(list []byte, first int) ([]bypass, error) {
	var all []bypass
	for i, f := range txtar.Parse(list).Files {
		b := bypass{number: first + i, name: f.Name}
		for line := range strings.Lines(string(f.Data)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch key {
			case "file":
				b.file = value
			case "old":
				b.old = value
			case "new":
				b.new = value
			case "test":
				if strings.Contains(value, "-- ") {
					return nil, fmt.Errorf("bypass %s: a line end is missing after %s", b.name, value)
				}
				b.tests = append(b.tests, value)
			case "":
			default:
				if strings.HasPrefix(key, "#") {
					continue
				}
				return nil, fmt.Errorf("bypass %s: there is no %q", b.name, key)
			}
		}
		if b.file == "" || b.old == "" || b.new == "" || len(b.tests) == 0 {
			return nil, fmt.Errorf("bypass %s: file, old, new and test are needed", b.name)
		}
		all = append(all, b)
	}
	return all, nil
}

// plant puts bypasses into the text of their file. One whose old text is not there once is an error that names it.
func plant(src string, list []bypass) (string, error) {
	for _, b := range list {
		if n := strings.Count(src, b.old); n != 1 {
			return "", fmt.Errorf("bypass %s no longer applies: %s has this text %d times, and not once: %s", b.name, b.file, n, b.old)
		}
	}
	for _, b := range list {
		src = strings.Replace(src, b.old, b.guarded(), 1)
	}
	return src, nil
}

// guarded returns the text that behaves as the new one where the bypass is on.
func (b *bypass) guarded() string {
	for _, form := range [][2]string{{"case ", ":"}, {"if ", " {"}} {
		was, ok := cut(b.old, form)
		now, also := cut(b.new, form)
		if ok && also {
			before := ""
			if k := strings.LastIndex(was, "; "); k >= 0 { // if x := f(); x > 0
				before, was = was[:k+2], was[k+2:]
				now = strings.TrimPrefix(now, before)
			}
			return fmt.Sprintf("%s%smutant(%d) && (%s) || !mutant(%[3]d) && (%[5]s)%[6]s", form[0], before, b.number, now, was, form[1])
		}
	}
	if strings.HasPrefix(b.old, "return ") || strings.Contains(b.old, " = ") {
		return fmt.Sprintf("if mutant(%d) { %s } else { %s }", b.number, b.new, b.old)
	}
	return fmt.Sprintf("mutantPick(%d, %s, %s)", b.number, b.new, b.old)
}

func cut(line string, form [2]string) (string, bool) {
	rest, ok := strings.CutPrefix(line, form[0])
	rest, also := strings.CutSuffix(rest, form[1])
	return rest, ok && also
}
