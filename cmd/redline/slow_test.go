package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
)

// slow lists inputs that took minutes or gigabytes once, or could, by name. Each writes as many blocks as it is asked for, of
// which a contract may have 100,000.
var slow = []struct {
	name  string
	most  int // how many the nightly tier asks for
	write func(n int) string
}{
	{"unknown-names-in-formulas", 9_000, func(n int) string {
		long := strings.Repeat("x", 60)
		return party(repeat(n, "  state \"s%06d"+long+"\" {}\n")) + repeat(n, "requirement \"r%d\" {\n  ctl = \"AG !p.t%[1]d"+long+long+"\"\n}\n")
	}},
	{"unknown-names-of-events", 10_000, func(n int) string {
		return party(repeat(n, labelled)) + repeat(n, "event \"e%d\" {\n  sync = { p = t%[1]d }\n}\n") + repeat(n, "requirement \"r%d\" {\n  ctl = \"AG !happened(x%[1]d)\"\n}\n")
	}},
	{"unknown-names-of-several", 10_000, func(n int) string {
		return fmt.Sprintf("contract \"c\" {}\nparty \"p\" {\n  count = %d\n  state \"a\" {}\n}\n", n) + repeat(n/10, "requirement \"r%d\" {\n  ctl = \"AG !p.zz && EF p.q%[1]d\"\n}\n")
	}},
	{"unknown-attributes", 39_000, func(n int) string { return party(repeat(n, "  x%d = 1\n")) }},
	{"unknown-blocks", 39_000, func(n int) string { return party("") + repeat(n, "x%d {}\n") }},
	{"unknown-states", 15_000, func(n int) string {
		return party("  state \"a\" {}\n" + repeat(n, "  transition \"t%d\" {\n    from = b%[1]d\n    to = a\n  }\n"))
	}},
	{"events", 20_000, func(n int) string {
		return party(repeat(n, labelled)) + repeat(n, "event \"e%d\" {\n  sync = { p = t%[1]d }\n}\n")
	}},
	{"history-of-events", 10_000, func(n int) string {
		return party(repeat(n, labelled)) + repeat(n, "event \"e%d\" {\n  sync = { p = t%[1]d }\n}\nrequirement \"r%[1]d\" {\n  ctl = \"AG !(happened(e%[1]d) && enabled(e%[1]d))\"\n}\n")
	}},
	{"norms", 10_000, func(n int) string {
		return party(repeat(1, labelled)) + "event \"e\" {\n  sync = { p = t0 }\n}\n" + repeat(n, "obligation \"o%d\" {\n  bearer = p\n  fulfil = e\n}\n")
	}},
	{"acceptances", 8_000, func(n int) string {
		return party(" state \"a\" {}\n"+repeat(n, "  state \"b%d\" {}\n  transition \"t%[1]d\" {\n    from = b%[1]d\n    to = a\n  }\n")) +
			repeat(4*n, "accept \"transition-never-fires\" {\n  on = p.t%d\n  reason = \"x\"\n}\n")
	}},
	{"quantifiers", 3_000, func(n int) string {
		return "contract \"c\" {}\nparty \"p\" {\n  count = 10000\n  state \"a\" {}\n  state \"b\" {}\n}\n" + repeat(n, "requirement \"r%d\" {\n  ctl = \"AG all x in p: x.a || x.b\"\n}\n")
	}},
	{"long-formulas", 200, func(n int) string {
		return party("  state \"a\" {}\n") + repeat(n, "requirement \"r%d\" {\n  ctl = \"AG ("+strings.Repeat("p.a || ", 8_000)+"p.a)\"\n}\n")
	}},
	{"deep-formulas", 20_000, func(n int) string {
		return party("  state \"a\" {}\n") + "requirement \"r\" {\n  ctl = \"" + strings.Repeat("AG ", n) + "p.a\"\n}\nrequirement \"s\" {\n  ctl = \"" + strings.Repeat("(", n) + "p.a\"\n}\n"
	}},
	{"counts-of-many-digits", 4_500, func(n int) string { // 3^n ways
		return "contract \"c\" {}\n" + repeat(n, "party \"p%d\" {\n  state \"a\" {}\n"+strings.Repeat("  transition \"t%%d\" {\n    label = l\n    from = a\n    to = a\n  }\n", 3)+"}\n") +
			"event \"e\" {\n  sync = {\n" + repeat(n, "    p%d = l\n") + "  }\n}\n"
	}},
	{"ways-of-an-event", 990, func(n int) string {
		one := "party \"%s\" {\n  state \"a\" {}\n" + strings.ReplaceAll(repeat(n, labelled), "}", "  label = l\n  }") + "}\n"
		return "contract \"c\" {}\n" + fmt.Sprintf(one, "p") + fmt.Sprintf(one, "q") + "event \"e\" {\n  sync = {\n    p = l\n    q = l\n  }\n}\n"
	}},
	{"templates", 480, func(n int) string {
		return "contract \"c\" {}\ntemplate \"T\" {\n  party \"x\" {\n    state \"a\" {}\n" + repeat(100, "    state \"s%d\" {}\n") + "  }\n" + repeat(100, "  requirement \"r%d\" {\n    ctl = \"AG !x.zz\"\n  }\n") +
			"}\nparty \"q\" {\n  state \"z\" {}\n}\n" + repeat(n, "phase \"f%d\" {\n  template = T\n  roles = { x = q }\n}\n")
	}},
	{"templates-in-templates", 15_000, func(n int) string { // 2^n phases
		use := "  phase \"%s\" {\n    template = T%%d\n    roles = { x = x }\n  }\n"
		b, write := strings.Builder{}, "template \"T%d\" {\n  party \"x\" {\n    state \"a\" {}\n  }\n"+fmt.Sprintf(use, "a")+fmt.Sprintf(use, "b")+"}\n"
		for i := range n {
			fmt.Fprintf(&b, write, i, i+1, i+1)
		}
		return "contract \"c\" {}\n" + b.String() + "party \"q\" {\n  state \"z\" {}\n}\nphase \"f\" {\n  template = T0\n  roles = { x = q }\n}\n"
	}},
	{"rounds-of-templates", 60_000, func(n int) string { // 100 of each phase
		return ofTemplate(20, "") + repeat(n, "phase \"f%d\" {\n  template = T\n  count = 100\n  until = e\n  roles = { x = q }\n}\n")
	}},
	{"templates-for-each", 60_000, func(n int) string {
		return ofTemplate(20, "  count = 100\n") + repeat(n, "phase \"f%d\" {\n  template = T\n  roles = { x = each(q) }\n}\n")
	}},
	{"large-templates", 10_000, func(n int) string {
		return ofTemplate(n, "") + repeat(400, "phase \"f%d\" {\n  template = T\n  count = 100\n  until = e\n  roles = { x = q }\n}\n")
	}},
	{"templates-of-several", 20_000, func(n int) string {
		return strings.Replace(ofTemplate(1, "  count = 10000\n"), "by = x", "by = each(x)", 1) + repeat(n, "phase \"f%d\" {\n  template = T\n  roles = { x = q }\n}\n")
	}},
	{"many-of-each-kind", 30_000, func(n int) string {
		return "contract \"c\" {}\n" + repeat(n, "party \"p%d\" {\n  count = 10000\n  state \"a\" {}\n}\n")
	}},
	{"numbers-of-a-million-digits", 15, func(n int) string {
		long := strings.Repeat("9", 1_000_000)
		kinds := []string{"party \"p%d\" {\n  state \"a\" {}\n  count = " + long + "\n}\n", "party \"p%d\" {\n  state \"a\" {}\n  counter \"c\" {\n    to = " + long + "\n  }\n}\n",
			"obligation \"o%d\" {\n  bearer = q\n  fulfil = e\n  within = " + long + "\n}\n", "requirement \"r%d\" {\n  ctl = \"AG q.c < " + long + "\"\n}\n",
			"obligation \"o%d\" {\n  bearer = q\n  fulfil = e\n  within = \"" + long + " days\"\n}\n"}
		b := strings.Builder{}
		for i := range n {
			fmt.Fprintf(&b, kinds[i%len(kinds)], i)
		}
		return ofTemplate(1, "") + b.String()
	}},
	{"texts-of-many-digits", 100, func(n int) string {
		long := strings.Repeat("9", 60_000)
		return "contract \"c\" {\n  tick = \"1 day\"\n}\nparty \"q\" {\n  state \"z\" {}\n  counter \"c\" {\n    to = 3\n  }\n}\nevent \"e\" {\n  by = q\n}\n" +
			repeat(n, "obligation \"o%d\" {\n  bearer = q\n  fulfil = e\n  within = \""+long+" days\"\n}\nrequirement \"r%[1]d\" {\n  ctl = \"AG q.c < "+long+"\"\n}\n")
	}},
	{"variants", 10, func(n int) string {
		return party("  state \"a\" {}\n" + repeat(4, "  counter \"c%d\" {\n    from = 0\n    to = 9\n  }\n") + repeat(n, "  transition \"t%d\" {\n    from = a\n    to = a\n    set = { c0 = c0 < 9 ? c0+1 : 0, c1 = c1, c2 = c2, c3 = c3 }\n  }\n"))
	}},
	{"requirements", 60_000, func(n int) string {
		return party("  state \"a\" {}\n  state \"b\" {}\n  transition \"t\" {\n    from = a\n    to = b\n  }\n") + repeat(n, "requirement \"r%d\" {\n  ctl = \"AG !p.b\"\n}\n")
	}},
	{"parties", 20_000, func(n int) string {
		return "contract \"c\" {}\n" + repeat(n, "party \"p%d\" {\n  state \"a\" {}\n  state \"b\" {}\n  transition \"t\" {\n    from = a\n    to = b\n  }\n}\n")
	}},
	{"documents", 20_000, func(n int) string {
		return party("  state \"a\" {}\n") + repeat(n, "document \"d%d\" {\n  holder = p\n}\nrequirement \"r%[1]d\" {\n  ctl = \"AG !d%[1]d.z\"\n}\n")
	}},
	{"findings", 8_000, func(n int) string {
		return party("  title = \"" + strings.Repeat("x", 60_000) + "\"\n  state \"b\" {}\n" + repeat(n, "  state \"s%d\" {}\n  transition \"t%[1]d\" {\n    from = s%[1]d\n    to = b\n  }\n"))
	}},
}

const labelled = "  transition \"t%d\" {\n    produce = []\n  }\n"

func party(body string) string {
	return "contract \"c\" {}\nparty \"p\" {\n  state \"here\" {}\n" + body + "}\n"
}

// ofTemplate returns a contract with a template whose party x has so many states, and a party q for it.
func ofTemplate(states int, q string) string {
	return "contract \"c\" {}\ntemplate \"T\" {\n  party \"x\" {\n" + repeat(states, "    state \"s%d\" {}\n") + "  }\n  event \"e\" {\n    by = x\n  }\n}\nparty \"q\" {\n" + q + "  state \"z\" {}\n}\n"
}

// repeat writes a text for each number.
func repeat(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, text, i)
	}
	return b.String()
}

// slowContract writes a contract, in files that are not too large.
func slowContract(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; text != ""; i++ {
		end := len(text)
		if end > hclspec.MaxFileSize {
			if end = strings.LastIndex(text[:hclspec.MaxFileSize], "\n}\n") + 3; end < 3 {
				t.Fatal("a block that is larger than a file")
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%03d.contract.hcl", i)), []byte(text[:end]), 0o666); err != nil {
			t.Fatal(err)
		}
		text = text[end:]
	}
	return dir
}

// spent runs a command on one processor, and returns the processor time it took.
func spent(t *testing.T, dir, name string, args ...string) (time.Duration, string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMAXPROCS=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !asExit(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), out.String()
}

func asExit(err error, exit **exec.ExitError) (ok bool) {
	*exit, ok = err.(*exec.ExitError)
	return ok && (*exit).ExitCode() >= 0 && (*exit).ExitCode() <= 3
}

// yardstick does a fixed piece of work of the kind that redline does: small allocations, maps, texts. It takes 0.07 seconds of an idle processor
// like those of continuous integration. TestMain makes it a command.
func yardstick() {
	kept := map[string][]byte{}
	for i := range 150_000 {
		name := strconv.Itoa(i * 7919 % 50_000)
		kept[name] = append(kept[name], strings.Repeat(name, 8)...)
	}
	fmt.Println(len(kept))
}

// exceeds reports whether a processor time is longer than some seconds of an idle processor. On a slow machine, and on one whose processors share their
// caches with other work, the yardstick takes longer, too.
func exceeds(t *testing.T, took time.Duration, seconds int) bool {
	limit := slower * time.Duration(seconds) * time.Second
	if took <= limit {
		return false
	}
	yard, _ := spent(t, t.TempDir(), "yardstick")
	t.Logf("%v is more than %v; the yardstick takes %v", took, limit, yard)
	return took.Seconds() > limit.Seconds()*yard.Seconds()/0.07
}

// TestSlowInputs holds every command to its limit: it ends within two seconds of it. Processor time is measured, and compared with that of a fixed piece
// of work, so that a slow or busy machine does not matter.
func TestSlowInputs(t *testing.T) {
	heavy := os.Getenv("REDLINE_HEAVY") != ""
	commands := [][]string{{"check", "--timeout", "1s"}}
	var inGit [][]string // of these the slow input is an amendment
	if heavy {
		inGit = [][]string{{"review", "--base", "HEAD", "--worktree", "--timeout", "1s"}, {"review", "--base", "HEAD", "--worktree", "--timeout", "1s", "--format", "markdown"}, {"commit"}, {"plan", "--base", "HEAD~1", "--timeout", "1s"}, {"attest", "--timeout", "1s"}}
		commands = append(commands, []string{"check", "--timeout", "1s", "--format", "json"}, []string{"check", "--timeout", "1s", "--certificate", t.TempDir()}, []string{"graph", "--timeout", "1s"}, []string{"report", "--timeout", "1s", "-o", os.DevNull},
			[]string{"fmt", "--timeout", "1s", "--check"}, []string{"export", "--timeout", "1s"}, []string{"compare", "--timeout", "1s", ".", ".", "."})
	}
	for _, input := range slow {
		n := input.most
		if !heavy {
			n = max(1, n/20)
		}
		t.Run(input.name, func(t *testing.T) {
			dir := slowContract(t, input.write(n))
			for _, args := range commands {
				took, out := spent(t, dir, "redline", args...)
				limit := 3
				if args[0] == "compare" {
					limit = 5 // three versions, each with a limit of its own
				}
				if exceeds(t, took, limit) {
					t.Errorf("redline %s: %v of processor time", strings.Join(args, " "), took)
				}
				if strings.Contains(out, "do not fit") {
					t.Errorf("redline %s: %s", strings.Join(args, " "), out)
				}
				t.Log(args[0], took, len(out))
			}
			if len(inGit) > 0 {
				gittest.GitIn(t, dir, "", "init", "-q")
				gittest.GitIn(t, dir, "", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "before there was any")
			}
			for _, args := range inGit {
				if args[0] == "commit" {
					gittest.GitIn(t, dir, "", "add", ".")
					gittest.GitIn(t, dir, "", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "the slow one")
					continue
				}
				took, out := spent(t, dir, "redline", args...)
				if exceeds(t, took, 3) {
					t.Errorf("redline %s: %v of processor time", strings.Join(args, " "), took)
				}
				t.Log(args[0], took, len(out))
			}
		})
	}
}

// TestSlowInputsEndOnSignal: after a signal every command works for two seconds at most, whatever it is doing. Without /proc, it ends within 20.
func TestSlowInputsEndOnSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM")
	}
	heavy := os.Getenv("REDLINE_HEAVY") != ""
	for _, input := range slow {
		if !heavy && input.name != "unknown-names-in-formulas" {
			continue
		}
		t.Run(input.name, func(t *testing.T) {
			dir := slowContract(t, input.write(input.most))
			cmd := exec.Command("redline", "check", "--timeout", "1h")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMAXPROCS=1")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond)
			begun := time.Now()
			before, measured := processorTime(cmd.Process.Pid)
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if !measured {
				if took := time.Since(begun); took > 20*time.Second {
					t.Errorf("ended %v after the signal", took)
				}
				return
			}
			after := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - before
			if exceeds(t, after, 2) {
				t.Errorf("%v of processor time after the signal", after)
			}
			t.Log(before, after)
		})
	}
}

// processorTime returns the processor time that a running process has taken, from /proc, and whether that is there.
func processorTime(pid int) (time.Duration, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, ok := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if err != nil || !ok || len(fields) < 13 {
		return 0, false
	}
	user, err := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond, err == nil && err2 == nil // the kernel counts hundredths of a second
}
