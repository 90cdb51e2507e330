package conform_test

import (
	"fmt"
	"github.com/redlinehq/redline/hclspec/duration"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/conform"
)

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"CSV", "Event, time ,who,Party,\nRFG,now,x,seller,\n\n\"a\"\"b\",,,,\n", `2 "RFG" "" "" "now" ["seller"]|4 "a\"b" "" "" "" []|ignored [who ]`},
		{"semicolons and a byte order mark", "\ufeffevent;step\nRFG;1\n", `2 "RFG" "" "1" "" []|ignored []`},
		{"tabs", "transition\tevent\na.b+c.d\t\n", `2 "" "a.b+c.d" "" "" []|ignored []`},
		{"a header alone", "event\n", "ignored []"},
		{"nothing", " \n", "ignored []"},
		{"JSON lines", "{\"event\":\"RFG\",\"time\":3,\"party\":null}\n\n{\"transitions\":[\"a.b\",\"c.d\"],\"step\":7,\"parties\":[\"a\",\"c\"],\"title\":{}}", `1 "RFG" "" "" "3" []|3 "" "a.b+c.d" "7" "" ["a" "c"]|ignored [title]`},
		{"a link", "https://x/y#run=eyJldmVudCI6IlJGRyJ9\n", `1 "RFG" "" "" "" []|ignored []`},
		{"a link to nothing", "#run=", "ignored []"},

		{"no name", "event,time\n,now\n", "error: line 2 names neither an event nor a transition"},
		{"no column", "what,when\na,b\n", "error: the first line has to name the columns, and one of them has to be event or transition"},
		{"two columns", "event,EVENT\na,b\n", "error: the log has two columns event"},
		{"more columns", "event\na,b\n", "error: line 2 has more or fewer columns than the header"},
		{"an open quote", "event\n\"a\nb", "error: line 2 is no CSV: extraneous or missing \" in quoted-field"},
		{"not UTF-8", "event\na\n\xff\n", "error: line 3 is not UTF-8"},
		{"no object", "{\"event\":\"a\"}\n[1]\n", "error: line 2: this is no JSON object on one line"},
		{"half an object", "{\"event\":\"a\"\n", "error: line 1: this is no JSON object on one line"},
		{"two objects", "{\"event\":\"a\"} {}\n", "error: line 1: something follows the object"},
		{"a key twice", "{\"event\":\"a\",\"event\":\"b\"}\n", `error: line 1: the key "event" is there twice`},
		{"both keys", "{\"transition\":\"a\",\"transitions\":[\"b\"]}\n", `error: line 1: of "transition" and "transitions" one is enough`},
		{"a number for a name", "{\"event\":1}\n", `error: line 1: "event": a text is expected here`},
		{"a text for a list", "{\"event\":\"a\",\"parties\":\"b\"}\n", `error: line 1: "parties": a list of texts is expected here`},
		{"a list for a time", "{\"event\":\"a\",\"time\":[]}\n", `error: line 1: "time": a text or a number is expected here`},
		{"a broken link", "#run=e*", "error: what follows #run= is not base64url: the link was cut or changed"},
		{"a long line", "{\"event\":\"" + strings.Repeat("a", conform.MaxLine) + "\"}", "error: line 1 is longer than 65536 bytes"},
		{"a long record", "event\n\"" + strings.Repeat("a\n", conform.MaxLine) + "\"\n", "error: line 2 is longer than 65536 bytes"},
		{"many columns", strings.Repeat("event,", conform.MaxColumns), "error: the log has 101 columns; the limit is 100"},
		{"many lines", "event\n" + strings.Repeat("a\n", conform.MaxLines+1), "error: the log has more than 200000 lines"},
		{"many bytes", "event\n" + strings.Repeat(" ", conform.MaxBytes), "error: the log is larger than 16777216 bytes"},
	} {
		log, err := conform.Read(strings.NewReader(c.text))
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = shown(log)
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func shown(log *conform.Log) string {
	var b strings.Builder
	for _, l := range log.Lines {
		fmt.Fprintf(&b, "%d %q %q %q %q %q|", l.Number, l.Event, l.Transition, l.Step, l.Time, l.Parties)
	}
	fmt.Fprintf(&b, "ignored %v", log.Ignored)
	return b.String()
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"event,time\nRFG,1\n", "{\"event\":\"RFG\",\"parties\":[\"a\"]}\n", "#run=eyJldmVudCI6IlJGRyJ9", "transition;step\n\"a\nb\";1", "\ufeffevent\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log, err := conform.Read(strings.NewReader(text))
		if (log == nil) == (err == nil) {
			t.Fatal(log, err)
		}
		if err != nil {
			return
		}
		last := 0
		for _, l := range log.Lines {
			if l.Name() == "" || l.Number <= last || l.Number > 1+strings.Count(text, "\n")+len(text) {
				t.Fatalf("%+v after line %d", l, last)
			}
			last = l.Number
		}
	})
}

func TestPeriod(t *testing.T) {
	for text, good := range map[string]bool{"1d": true, "12h": true, "2w": true, "1mo": true, "0d": false, "-1d": false, "1ms": false, "": false, "d": false, "99999mo": false, "1y": false} {
		if _, err := duration.ParseTickLength(text); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}
