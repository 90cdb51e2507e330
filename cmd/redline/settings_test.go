package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redlinehq/redline/cmd/redline/demo"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
)

// openUnder makes a pull request on the example sale, in a repository with settings (empty: none), that amends the sale
// so that it breaks a promise, and whatever else edit does in the repository.
func openUnder(t *testing.T, base string, edit func(top string) error) pull {
	t.Helper()
	p := pull{T: t, origin: t.TempDir()}
	if err := demo.CopyExample(io.Discard, "sale", filepath.Join(p.origin, "deals", "sale")); err != nil {
		t.Fatal(err)
	}
	if base != "" {
		if err := writeSettings(p.origin, base); err != nil {
			t.Fatal(err)
		}
	}
	p.git("init -q -b main", "add .", "commit -q -m sale")
	p.base = p.commit()
	p.git("checkout -q -b amendment")
	if err := addWithdrawal(filepath.Join(p.origin, "deals", "sale", "seller.contract.hcl")); err != nil {
		t.Fatal(err)
	}
	if err := edit(p.origin); err != nil {
		t.Fatal(err)
	}
	p.merged("add -A .", "commit -q -m amendment")
	return p
}

func writeSettings(top, text string) error {
	if err := os.MkdirAll(filepath.Join(top, ".github"), 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(top, filepath.FromSlash(settings.File)), []byte(text), 0o666)
}

func setting(text string) func(top string) error {
	return func(top string) error { return writeSettings(top, text) }
}

const quiet = "fail-on = \"never\"\npaths = [\"nothing\"]\nignore = [\"**\"]\nobserve = [\"nobody\"]\nlimits {\n  states = 1\n  timeout = \"1ns\"\n}\n"

// An amendment turns off nothing that reviews it, whatever it does to the settings.
func TestAmendmentCannotTurnOffItsReview(t *testing.T) {
	const changed = "The amendment changes .github/redline.hcl"
	for name, c := range map[string]struct {
		base string
		edit func(top string) error
		says string
	}{
		"new settings":     {"", setting(quiet), changed},
		"changed settings": {"fail-on = \"new\"\npaths = [\"deals\"]\n", setting(quiet), changed},
		"removed settings": {"fail-on = \"any\"\n", func(top string) error { return os.RemoveAll(filepath.Join(top, ".github")) }, changed},
		"moved out of paths": {"paths = [\"deals\"]\n", func(top string) error {
			return os.Rename(filepath.Join(top, "deals"), filepath.Join(top, "elsewhere"))
		}, ""},
		"moved into what is ignored": {"ignore = [\"**/archive\"]\n", func(top string) error {
			return os.Rename(filepath.Join(top, "deals"), filepath.Join(top, "archive"))
		}, ""},
		"a repository within": {"", func(top string) error {
			return os.WriteFile(filepath.Join(top, "deals", "redline.hcl"), []byte(quiet), 0o666)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := openUnder(t, c.base, c.edit)
			for event, payload := range map[string]string{"pull_request": p.payload(), "merge_group": `{"merge_group": {"base_sha": "` + p.base + `"}}`} {
				got := p.run(p.merge, event, payload)
				if got.status != 1 || !strings.Contains(got.log, "goods-not-withdrawn") || !strings.Contains(got.log, c.says) || !strings.Contains(got.summary, c.says) {
					t.Errorf("%s: exit status %d\n%s", event, got.status, got.log)
				}
				if strings.Contains(got.log, changed) != (c.says != "") {
					t.Errorf("%s: a notice of changed settings: %t", event, c.says == "")
				}
			}
		})
	}
}

// What is pushed is under its own settings, and an input outweighs settings.
func TestActionSettings(t *testing.T) {
	nothing := func(string) error { return nil }
	for name, c := range map[string]struct {
		base   string
		edit   func(top string) error
		event  string
		inputs []string
		status int
		says   string
	}{
		"base's gate":         {base: `fail-on = "never"`, edit: nothing, event: "pull_request", status: 0},
		"an input outweighs":  {base: `fail-on = "never"`, edit: nothing, event: "pull_request", inputs: []string{"INPUT_FAIL_ON", "new"}, status: 1},
		"a push":              {base: "", edit: setting(`fail-on = "never"`), event: "push", status: 0},
		"by hand":             {base: "", edit: setting(`fail-on = "never"`), event: "workflow_dispatch", status: 0},
		"limits":              {base: "limits {\n  timeout = \"1ns\"\n}\n", edit: nothing, event: "pull_request", status: 3, says: "the time limit of 1ns ran out"},
		"limits and an input": {base: "limits {\n  timeout = \"1ns\"\n}\n", edit: nothing, event: "pull_request", inputs: []string{"INPUT_TIMEOUT", "5m"}, status: 1},
		"left out":            {base: `ignore = ["deals"]`, edit: nothing, event: "pull_request", status: 0, says: "1 contract is left out (ignore, .github/redline.hcl:1)."},
		"left out by hand":    {base: `ignore = ["deals"]`, edit: nothing, event: "workflow_dispatch", status: 0, says: "1 contract is left out"},
		"observe":             {base: `observe = ["bank"]`, edit: nothing, event: "pull_request", status: 1, says: `there is no party or event "bank" to observe`},
	} {
		t.Run(name, func(t *testing.T) {
			p := openUnder(t, c.base, c.edit)
			payload := p.payload()
			if c.event == "push" {
				payload = `{"before": "` + p.base + `"}`
			}
			got := p.run(p.merge, c.event, payload, c.inputs...)
			if got.status != c.status || !strings.Contains(got.log, c.says) || !strings.Contains(got.summary, c.says) {
				t.Errorf("exit status %d, want %d and %q in\n%s\n%s", got.status, c.status, c.says, got.log, got.summary)
			}
		})
	}
}

// Ill-formed settings of either side end the run: nothing is reviewed under what nobody meant. Nothing in them is obeyed or shown as it is.
func TestActionOnIllFormedSettings(t *testing.T) {
	link := func(top string) error {
		if err := os.MkdirAll(filepath.Join(top, ".github"), 0o777); err != nil {
			return err
		}
		return os.Symlink("/etc/passwd", filepath.Join(top, filepath.FromSlash(settings.File)))
	}
	linked := func(top string) error { return os.Symlink("deals", filepath.Join(top, ".github")) }
	for name, c := range map[string]struct {
		base string
		edit func(top string) error
		code string
	}{
		"base's":              {`fail-on = "sometimes"`, setting(`fail-on = "any"`), "setting-refused"},
		"the amendment's":     {"", setting(`fail-on = "sometimes"`), "setting-refused"},
		"a link":              {"", link, "not-a-regular-file"},
		"a link further up":   {"", linked, "not-a-regular-file"},
		"1 MiB":               {"", setting("#" + strings.Repeat("x", 1<<20)), "file-too-large"},
		"deep":                {"", setting("paths = " + strings.Repeat("[", 5_000)), "nested-too-deep"},
		"a thousand patterns": {"", setting("paths = [" + strings.Repeat(`"a",`, 1_000) + "]"), "too-many-values"},
		"hidden":              {"", setting("# \u202e\n"), "hidden-character"},
		"commands":            {"", setting("fail-on = \"::set-output name=x::y ##[error]x \\u001b[31m @octocat --> </details>\"\n"), "hidden-character"},
		"more commands":       {"", setting("fail-on = \"\n::add-mask::x\n\"\n"), "syntax"},
		"names of commands":   {"", setting("paths = [\"x[@octocat] ``` ##[error]y %0A::error::z\"]\n"), "bad-pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			p := openUnder(t, c.base, c.edit)
			got := p.run(p.merge, "pull_request", p.payload())
			if got.status != 2 || !strings.Contains(got.log, c.code) || !strings.Contains(got.summary, c.code) || strings.Contains(got.log, "goods-not-withdrawn") {
				t.Fatalf("exit status %d, want 2 and %s in\n%s\n%s", got.status, c.code, got.log, got.summary)
			}
			if here := strings.Contains(got.log, "file=.github/redline.hcl"); here == (c.base != "") {
				t.Errorf("an annotation at head's file: %t", here)
			}
			if says := strings.Contains(got.summary, "They have to be mended there"); says != (c.base != "") {
				t.Errorf("it says where to mend base's: %t", says)
			}
			if strings.ContainsAny(got.log+got.summary, "\x1b\r\u202e") || strings.Contains(got.log+got.summary, "root:") {
				t.Errorf("it shows what it must not:\n%s", got.log)
			}
			for line := range strings.Lines(got.log) {
				if strings.HasPrefix(line, "::add-mask") || strings.HasPrefix(line, "::set-output") || strings.Contains(line, "##[") {
					t.Errorf("a stranger's command: %q", line)
				}
			}
		})
	}
}

// Every amount that settings take, the flag takes, too.
func TestAmountsOfMemory(t *testing.T) {
	for text, want := range map[string]finding.Bytes{"0B": 0, "999999999GiB": 999_999_999 << 30, "512MiB": 512 << 20, "7KiB": 7 << 10, "7B": 7} {
		s, diags := settings.Parse([]byte("limits {\n  memory = \""+text+"\"\n}\n"), settings.File)
		var got finding.Bytes
		if diags != nil || got.Set(s.Limits.Memory) != nil || got != want {
			t.Errorf("%s: %v, %v", text, diags, got)
		}
	}
}

// Each flag that outweighs a setting is one that the action has, and each names a setting.
func TestFlagsOfSettings(t *testing.T) {
	known := map[string]bool{}
	for _, s := range settings.Default().List() {
		known[s.Name] = true
	}
	cmd := actionCommand(streams{strings.NewReader(""), io.Discard, io.Discard})
	for _, pair := range option.FlagSettings {
		if !known[pair[1]] {
			t.Errorf("there is no setting %s", pair[1])
		}
		if cmd.Flags().Lookup(pair[0]) == nil {
			t.Errorf("the action has no --%s", pair[0])
		}
		delete(known, pair[1])
	}
	for _, only := range []string{"paths", "ignore", "record", "acceptance", "approvers", "owed"} { // these are the repository's alone: an input can't loosen them
		if delete(known, only); known[only] {
			t.Errorf("%s is not known", only)
		}
	}
	if len(known) > 0 {
		t.Errorf("no flag outweighs %v", known)
	}
}
