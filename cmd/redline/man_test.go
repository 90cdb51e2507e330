package main

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/cmd/redline/option"
)

// TestManualPage: it has each command and each of its flags, and nothing that a macro of man's is mistaken for; groff, where it is installed, has no objection.
func TestManualPage(t *testing.T) {
	var out, errs bytes.Buffer
	if status := Main([]string{"help", "--man"}, streams{strings.NewReader(""), &out, &errs}); status != 0 || errs.Len() > 0 {
		t.Fatal(status, errs.String())
	}
	page := out.String()
	plain := strings.NewReplacer(`\-`, "-", `\e`, `\`, `\&`, "").Replace(page)
	for _, c := range command(streams{}).Commands() {
		if !c.IsAvailableCommand() || c.Name() == "completion" {
			continue
		}
		_, of, found := strings.Cut(plain, "\n.SS "+c.UseLine()+"\n")
		if of, _, _ = strings.Cut(of, "\n.SS "); !found || !strings.Contains(of, strings.TrimSpace(c.Example)) {
			t.Errorf("%s is not there, or its examples are not", c.Name())
		}
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(of, "--"+f.Name+" ") {
				t.Errorf("%s has no --%s", c.Name(), f.Name)
			}
		})
	}
	if odd := regexp.MustCompile(`(?m)^(?:'|\.(?:[^STPBInf]|[A-Z]{3})).*`).FindString(page); odd != "" {
		t.Errorf("%q is no request of man's", odd)
	}
	if groff, err := exec.LookPath("groff"); err == nil {
		cmd := exec.Command(groff, "-man", "-Tascii", "-ww", "-z")
		cmd.Stdin = strings.NewReader(page)
		if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("groff: %v: %s", err, said)
		}
	}
	root := command(streams{})
	root.Long = "One.\n\n.two\n'three \\ four"
	out.Reset()
	if err := option.Man(&out, root); err != nil || !strings.Contains(out.String(), "\nOne.\n.PP\n\\&.two\n\\&'three \\e four\n") {
		t.Errorf("%v: %.400s", err, &out)
	}
}
