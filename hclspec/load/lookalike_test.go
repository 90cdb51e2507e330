package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/diag"
)

// TestNamesThatLookAlike: two names of any kinds that look alike are an error, and so is a word in two alphabets. Others are fine.
func TestNamesThatLookAlike(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string // a part of what is said; empty: nothing
	}{
		"hostile amendment": {"party \"buyer\" {\n  state \"paid\" {}\n  state \"\u0440\u0430id\" {}\n}\n", "\u0440 (U+0440) is not p, \u0430 (U+0430) is not a"},
		"other kind":        {"party \"cop\" {\n  state \"a\" {}\n}\nrequirement \"\u0441\u043e\u0440\" {\n  ctl = \"true\"\n}\n", "(Cyrillic) looks like "},
		"a label":           {"party \"x\" {\n  state \"a\" {}\n  transition \"cop\" {\n    from = a\n    to = a\n  }\n  transition \"t\" {\n    label = \u0441\u043e\u0440\n    from = a\n    to = a\n  }\n}\n", "(Cyrillic) looks like "},
		"a key":             {"party \"x\" {\n  for_each = [\"cop\", \"\u0441\u043e\u0440\"]\n  state \"a\" {}\n}\n", "(Cyrillic) looks like "},
		"unknown":           {"party \"x\" {\n  state \"paid\" {}\n  transition \"t\" {\n    from = \u0440\u0430id\n    to = paid\n  }\n}\n", "Did you mean \"paid\"? They only look alike: \u0440 (U+0440) is not p"},
		"Greek":             {"party \"x\" {\n  state \"\u0391\" {}\n  state \"A\" {}\n}\n", "\u0391 (U+0391) is not A"},
		"two alphabets":     {"party \"x\" {\n  state \"SMS-\u0440\u0430\u0441\u0441\u044b\u043b\u043a\u0430\" {}\n  state \"\u0394x\" {}\n}\n", ""},
		"one alphabet":      {"party \"\u043f\u043e\u043a\u0443\u043f\u0430\u0442\u0435\u043b\u044c\" {\n  state \"\u0441\u043e\u0440\" {}\n}\nparty \"seller\" {\n  state \"\u0441\u043e\u0440\" {}\n}\n", ""},
	} {
		var said strings.Builder
		for _, d := range loadText(t, complete(c.text)).Diagnostics {
			fmt.Fprintf(&said, "%s: %s %s\n", diag.CodeOf(d), d.Summary, d.Detail)
		}
		if !strings.Contains(said.String(), c.want) || c.want == "" && said.Len() > 0 {
			t.Errorf("%s: %s", name, said.String())
		}
	}
}
