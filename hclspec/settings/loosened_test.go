package settings

import "testing"

// Each change is looser in one direction only, but for approvers.
func TestLoosened(t *testing.T) {
	for _, c := range []struct{ strict, loose, there, back string }{
		{`fail-on = "any"`, ``, `fail-on was "any", now "new"`, ""},
		{``, `fail-on = "never"`, `fail-on was "new", now "never"`, ""},
		{`acceptance = "base"`, ``, `acceptance was "base", now not set`, ""},
		{``, `acceptance = "approved"`, "", ""},
		{`acceptance = "approved"`, `acceptance = "amendment"`, `acceptance was "approved", now "amendment"`, ""},
		{`owed = "fail"`, ``, `owed was "fail", now "tell"`, ""},
		{``, `ignore = ["a"]`, `ignore was [], now ["a"]`, ""},
		{``, `paths = ["a"]`, `paths was [], now ["a"]`, ""},
		{`paths = ["a", "b"]`, `paths = ["b"]`, `paths was ["a", "b"], now ["b"]`, ""},
		{``, `approvers = ["a @b"]`, `approvers was [], now ["a @b"]`, `approvers was ["a @b"], now []`},
		{``, `observe = ["a"]`, "", ""},
	} {
		strict, diags := Parse([]byte(c.strict+"\n"), File)
		loose, more := Parse([]byte(c.loose+"\n"), File)
		if len(diags)+len(more) > 0 {
			t.Fatal(diags, more)
		}
		if got := loosenings(strict, loose); got != c.there {
			t.Errorf("%s to %s: got %q, want %q", c.strict, c.loose, got, c.there)
		}
		if got := loosenings(loose, strict); got != c.back {
			t.Errorf("%s to %s: got %q, want %q", c.loose, c.strict, got, c.back)
		}
	}
}

func loosenings(before, after *Settings) (all string) {
	for _, l := range Loosened(before, after) {
		all += l.Name + " " + l.Says
	}
	return all
}
