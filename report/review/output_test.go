package review

import (
	"strings"
	"testing"
)

// A value can't set another output, and neither can a notice give a command.
func TestOutput(t *testing.T) {
	r := newRunner(t)
	for value, ok := range map[string]bool{"a=b<<c": true, "": true, "a\nstatus=clean": false, "a\rstatus=clean": false} {
		if err := SetOutput(r.getenv, "n", value); (err == nil) != ok {
			t.Errorf("%q: %v", value, err)
		}
	}
	for line := range strings.Lines(r.read(t, r.output)) {
		if !strings.HasPrefix(line, "n=") {
			t.Errorf("%q", line)
		}
	}
	if err := SetOutput(environ(), "n", "v"); err == nil {
		t.Error("there is no file, and nobody is told")
	}
	Note(&r.log, "a\n::error::b", "c\r\n::add-mask::d")
	if err := Say(&r.log, "::error::said"); err != nil {
		t.Error(err)
	}
	if all, _ := obeyed(r.log.String()); len(all) != 1 || all[0].name != "notice" || all[0].message != "c\r\n::add-mask::d" {
		t.Errorf("%+v\n%s", all, &r.log)
	}
}
