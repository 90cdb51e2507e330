package result_test

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/result"
)

// broken is a review with as much in it as there can be: a seller who may withdraw goods.
func broken(t rapid.TB) *result.File {
	base := texts(t, "sale")
	head := texts(t, "sale")
	seller := head["sale/seller.contract.hcl"]
	seller.Data = append([]byte(strings.TrimSuffix(strings.TrimSpace(string(seller.Data)), "}")), "\n  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n}\n"...)
	f := whole(&finding.Review{Base: "main", Head: "HEAD", Contracts: engine.CompareAll(context.Background(), drafts(t, base), drafts(t, head), budget)})
	head = texts(t, "meat-sale")
	file := head["meat-sale/norms.contract.hcl"]
	file.Data = regexp.MustCompile(`within( *)= .*`).ReplaceAll(file.Data, []byte("within$1= 4"))
	other := engine.CompareAll(context.Background(), drafts(t, texts(t, "meat-sale")), drafts(t, head), budget)
	f.Review.Contracts = append(other, f.Review.Contracts...)
	f.Plan = []result.Planned{{Path: "meat-sale", Shard: 1}, {Path: "sale", Shard: 1}}
	return f
}

// refused reports the error of reading some text.
func refused(raw []byte) error {
	_, err := result.Read(bytes.NewReader(raw))
	return err
}

// TestReadRefuses what Write would not have written, and names where it is.
func TestReadRefuses(t *testing.T) {
	good := string(written(t, broken(t)))
	if err := refused([]byte(good)); err != nil {
		t.Fatal(err)
	}
	once := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("there is no %s in\n%s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	huge := strings.Repeat("9", 1_000_001)
	now, later := fmt.Sprintf(`"Format":%d`, result.Format), fmt.Sprintf(`"Format":%d`, result.Format+1)
	for _, row := range []struct{ text, says string }{
		{"", "no object, but the end of the file"},
		{"null", "no object"},
		{"[]", "no object"},
		{" " + good, "no object"},
		{good[:len(good)/2], "it is no|should come here|should end here"},
		{strings.TrimSuffix(good, "\n"), "missing or trailing data after the result"},
		{good + "{}", "missing or trailing data"},
		{good + " x", "missing or trailing data"},
		{once(now, later), fmt.Sprintf("it has format %d; this redline knows %d", result.Format+1, result.Format)},
		{once(now+`,`, ``), `the field "Format" should come here, not "\\"Tool`},
		{once(now+`,`, now+`,`+now+`,`), `the field "Tool" should come here`},
		{once(now+`,`, now+`,"More":1,`), `the field "Tool" should come here`},
		{once(now, strings.Replace(now, ":", " :", 1)), `should come here`},
		{once(now, strings.ToLower(now)), `should come here`},
		{strings.TrimSuffix(good, "}\n") + `,"More":1}`, "it should end here, not go on with"},
		{once(`"Tool":"v1.2.3"`, `"Tool":null`), "Tool: it is no text"},
		{once(`"Tool":"v1.2.3"`, `"Tool":7`), "Tool: it is no text"},
		{once(`"Tool":"v1.2.3"`, "\"Tool\":\"v1\n\""), "Tool: it is not written as it should be"},
		{once(`"Tool":"v1.2.3"`, `"Tool":"\u0041"`), "Tool: it is not written as it should be"},
		{once(`"Tool":"v1.2.3"`, `"Tool":"\ud800"`), "Tool: it is not written as it should be"},
		{once(`"Tool":"v1.2.3"`, "\"Tool\":\"\xff\""), "not UTF-8"},
		{once(`"Tool":"v1.2.3"`, `"Tool":{"base64":"YQ=="}`), "Tool: it is not written as it should be"},
		{once(`"Tool":"v1.2.3"`, `"Tool":{"base64":"!"}`), "Tool: it is not written as it should be"},
		{once(`"Tool":"v1.2.3"`, `"Tool":{"base64":"/w=="`), "Tool: it is not written as it should be"},
		{once(`"Tool":"v1.2.3"`, `"Tool":{}`), "Tool: it is no text"},
		{once(`"Tool":"v1.2.3"`, `"Tool":"`+strings.Repeat("x", 5<<20)+`"`), "Tool: it has more than 4 MiB"},
		{once(`"Shard":1`, `"Shard":0`), "0 is no shard of 1"},
		{once(`"Shard":1`, `"Shard":-1`), `Shard: "-1,.* is no number of anything`},
		{once(`"Shard":1`, `"Shard":1.0`), `should come here`},
		{once(`"Shard":1`, `"Shard":01`), `no number of anything`},
		{once(`"Shard":1`, `"Shard":"1"`), `Shard: .* is no number of anything`},
		{once(`"Shard":1`, `"Shard":9223372036854775808`), "too large"},
		{once(`"Shards":1`, `"Shards":257`), "1 is no shard of 257"},
		{once(`"Base":"bbbb`, `"Base":"main`), "no commit"},
		{once(`"Today":"2026-11-21"`, `"Today":"tomorrow"`), "no day"},
		{once(`"Kind":2`, `"Kind":11`), `Findings\[\d+\].Kind: there is no kind number 11`},
		{once(`"Kind":2`, `"Kind":300`), "too large"},
		{once(`"Verdict":2`, `"Verdict":4`), "no verdict number 4"},
		{once(`"Start":{"Line":`, `"Start":{"Line":-`), "no number of anything"},
		{once(`"States":10`, `"States":-10`), "no number of anything"},
		{once(`"States":12`, `"States":`+huge), "more than 1000000 digits"},
		{once(`"Plan":[{"Path":"meat-sale"`, `"Plan":[{"Path":"zoo"`), "out of order"},
		{once(`"Plan":[{"Path":"meat-sale"`, `"Plan":[{"Path":"beef-sale"`), "has to review"},
		{once(`"Plan":[{"Path":"meat-sale","Shard":1}`, `"Plan":[{"Path":"meat-sale","Shard":2}`), "Plan has shard 2 of 1"},
		{once(`"Plan":[`, `"Plan":[null,`), "no object"},
		{once(`"Prefix":[`, `"Prefix":[null,`), "no object"},
		{once(`"Then":null`, `"Then":[null]`), "Then.0.: there is nothing"},
		{once(`"Results":null`, `"Results":[]`), "has to be a review, or a check"},
		{once(`"Status":1`, `"Status":2`), "a contract that is added has not these sides"},
		{once(`"Notation":"ctl"`, `"Notation":"**"`), "Notation"},
		{once(`"Pattern":""`, `"Pattern":"x"`), "Pattern"},
		{once(`"Run":"sha256:`, `"Run":"sha257:`), "Run is no SHA-256"},
		{once(`"Class":"warning"`, `"Class":"fatal"`), "Class"},
		{once(`"Action":"added"`, `"Action":"@everyone"`), "Action"},
		{once(`"From":0,"To":`, `"From":0,"To":99`), "an arc leads from state 0 to"},
		{strings.Replace(good, `"Trace":{`, `"Trace":`+strings.Repeat("[", 100_000), 1), "no object"},
		{strings.Repeat("[", 1_000_000), "no object"},
		{once(`"Then":null`, `"Then":`+strings.Repeat(`[{"Claim":"","Prefix":null,"Loop":null,"DeadEnd":false,"Stops":false,"End":null,"Ends":null,"Then":`, 3_000)+"null"), "more than 2000 levels"},
		{once(`"Notices":["by hand"]`, `"Notices":[`+strings.Repeat(`"",`, 1<<20)+`""]`), "more than 1048576 items"},
	} {
		err := refused([]byte(row.text))
		if err == nil || !regexp.MustCompile(row.says).MatchString(err.Error()) || len(err.Error()) > 400 {
			t.Errorf("want %s: %.400v", row.says, err)
		}
	}
}

// endless is a file without end.
type endless struct{ start *strings.Reader }

func (e endless) Read(p []byte) (int, error) {
	if e.start.Len() > 0 {
		return e.start.Read(p)
	}
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestReadEnds(t *testing.T) {
	if _, err := result.Read(endless{strings.NewReader(`{"Format":`)}); err == nil || !strings.Contains(err.Error(), "longer than 128 MiB") {
		t.Error(err)
	}
}

// TestWriteRefusesWhatReadWould, so that nothing is found out too late.
func TestWriteRefusesWhatReadWould(t *testing.T) {
	for name, spoil := range map[string]func(*result.File){
		"format":   func(f *result.File) { f.Format = 0 },
		"shard":    func(f *result.File) { f.Shard = 2 },
		"plan":     func(f *result.File) { f.Plan = nil },
		"contract": func(f *result.File) { f.Review.Contracts[0].Head = nil },
		"finding":  func(f *result.File) { f.Review.Contracts[0].Findings = []finding.Finding{{}} },
		"waiver": func(f *result.File) {
			f.Review.Contracts[1].Findings[0].Kind, f.Review.Contracts[1].Findings[0].Head.Waiver = finding.Waived, nil
		},
		"picture": func(f *result.File) {
			f.Review.Contracts[1].Difference.Picture = &finding.Picture{Arcs: []finding.PictureArc{{From: 1}}}
		},
		"nothing": func(f *result.File) {
			f.Review.Contracts[1].Head.Requirements[0].Trace = &finding.Trace{Then: []*finding.Trace{nil}}
		},
	} {
		f := broken(t)
		spoil(f)
		if err := result.Write(&bytes.Buffer{}, f); err == nil {
			t.Errorf("%s: it was written", name)
		}
	}
}

// FuzzRead: whatever is read can be told in every form, and is written back as it was.
func FuzzRead(f *testing.F) {
	f.Add(written(f, broken(f)))
	for _, example := range []string{"sale", "meat-sale"} {
		f.Add(written(f, &result.File{Format: result.Format, Shard: 1, Shards: 1, Results: engine.CheckAll(context.Background(), drafts(f, texts(f, example)), budget)}))
	}
	f.Add(written(f, whole(&finding.Review{})))
	f.Fuzz(func(t *testing.T, raw []byte) {
		file, err := result.Read(bytes.NewReader(raw))
		if err != nil {
			return
		}
		rendered(t, file)
		back, err := result.Read(bytes.NewReader(written(t, file)))
		if err != nil || !same(reflect.ValueOf(file), reflect.ValueOf(back)) {
			t.Fatalf("another file is read back: %v", err)
		}
	})
}

// spots are all places in a file that a type stands in, with what leads there.
func spots(v reflect.Value, at string, visit func(at string, v reflect.Value)) {
	switch {
	case v.Type() == reflect.TypeFor[*big.Int]():
		visit(at, v)
	case v.Kind() == reflect.Pointer:
		visit(at, v)
		if !v.IsNil() {
			spots(v.Elem(), at, visit)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Tag.Get("result") != "-" && (f.IsExported() || f.Anonymous) {
				spots(v.Field(i), at+"."+f.Name, visit)
			}
		}
	case v.Kind() == reflect.Slice:
		visit(at, v)
		for i := range v.Len() {
			spots(v.Index(i), fmt.Sprintf("%s[%d]", at, i), visit)
		}
	default:
		visit(at, v)
	}
}

var index = regexp.MustCompile(`\[\d+\]`)

// A spoiling puts another value into some place of a file.
type spoiling struct {
	at       string
	into     reflect.Value
	was, now reflect.Value
}

// spoilings are those that are not refused: of each kind of place one, every value of choose.
func spoilings(t *testing.T, f *result.File, choose func(reflect.Value) []reflect.Value) [][]spoiling {
	tried := map[string]bool{}
	var all [][]spoiling // by which of the values
	spots(reflect.ValueOf(f).Elem(), "", func(at string, v reflect.Value) {
		if kind := index.ReplaceAllString(at, "[]"); tried[kind] {
			return
		} else {
			tried[kind] = true
		}
		was := reflect.New(v.Type()).Elem()
		was.Set(v)
		for n, now := range choose(v) {
			if n == len(all) {
				all = append(all, nil)
			}
			all[n] = append(all[n], spoiling{at, v, was, now})
		}
	})
	if len(tried) < 150 {
		t.Errorf("only %d kinds of places", len(tried))
	}
	return all
}

// taken makes several at once and returns those that are not refused, by themselves or together. It undoes the others. Most are not refused,
// so it tries all together before it tries halves of them.
func taken(f *result.File, some []spoiling) []spoiling {
	for _, s := range some {
		s.into.Set(s.now)
	}
	var b bytes.Buffer
	if result.Write(&b, f) == nil && refused(b.Bytes()) == nil {
		return some
	}
	for _, s := range slices.Backward(some) {
		s.into.Set(s.was)
	}
	if len(some) == 1 {
		return nil
	}
	half := len(some) / 2
	return slices.Concat(taken(f, some[:half]), taken(f, some[half:]))
}

// spoiled makes several at once, tells the file as it is read back, and undoes them.
func spoiled(t *testing.T, f *result.File, some []spoiling, told func(places []string, forms map[string]string)) {
	var places []string
	for _, s := range taken(f, some) {
		places = append(places, s.at)
	}
	back, err := result.Read(bytes.NewReader(written(t, f)))
	if err != nil {
		t.Fatal(err)
	}
	told(places, rendered(t, back))
	for _, s := range slices.Backward(some) {
		s.into.Set(s.was)
	}
}

// TestNothingThatIsReadPanics: values of a review are others, as extreme as their types have any.
func TestNothingThatIsReadPanics(t *testing.T) {
	f, n := broken(t), 0
	for _, all := range spoilings(t, f, extremes) {
		for some := range slices.Chunk(all, 96) {
			spoiled(t, f, some, func(places []string, _ map[string]string) { n += len(places) })
		}
	}
	if n < 150 {
		t.Errorf("only %d values were other ones", n)
	}
}

func extremes(v reflect.Value) []reflect.Value {
	of := v.Type()
	switch {
	case v.Kind() == reflect.Bool:
		return []reflect.Value{reflect.ValueOf(!v.Bool()).Convert(of)}
	case v.Kind() == reflect.String:
		return []reflect.Value{reflect.ValueOf("").Convert(of), reflect.ValueOf(strings.Repeat("\u202e\xff", 300)).Convert(of)}
	case v.Kind() == reflect.Uint8:
		var all []reflect.Value
		for _, i := range []uint8{0, 1, 4, 9, 19} { // no enumeration has twenty words
			all = append(all, reflect.ValueOf(i).Convert(of))
		}
		return all
	case v.CanInt():
		return []reflect.Value{reflect.ValueOf(0).Convert(of), reflect.ValueOf(1<<63 - 1).Convert(of)}
	case v.CanUint():
		return []reflect.Value{reflect.ValueOf(uint64(1<<64 - 1)).Convert(of)}
	case of == reflect.TypeFor[*big.Int]():
		return []reflect.Value{reflect.Zero(of), reflect.ValueOf(new(big.Int)), reflect.ValueOf(new(big.Int).Lsh(big.NewInt(1), 20_000))}
	case v.Kind() == reflect.Slice && v.Len() > 0:
		return []reflect.Value{reflect.Zero(of), reflect.AppendSlice(v.Slice3(0, v.Len(), v.Len()), v)}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		return []reflect.Value{reflect.Zero(of)}
	}
	return nil
}

const poison = "</td></details>\n\n@everyone <img src=x> [x](http://evil.example) #12\n```\n::set-output name=status::clean\n\x1b[31m\u202e-->"

// TestWhatIsReadIsAStrangers: whatever texts of a review are another's, they are refused, or told as a stranger's: no mention,
// no HTML, no link, no command to a runner or a terminal.
func TestWhatIsReadIsAStrangers(t *testing.T) {
	f, n := broken(t), 0
	for _, all := range spoilings(t, f, poisoned) {
		for some := range slices.Chunk(all, 6) {
			spoiled(t, f, some, func(places []string, forms map[string]string) {
				n += len(places)
				for form, told := range forms {
					if bad := unsafeAs(t, form, told); bad != "" {
						t.Errorf("%s: as %s they give %s", places, form, bad)
					}
				}
			})
		}
	}
	if n < 20 {
		t.Errorf("only %d kinds of texts", n)
	}
}

func poisoned(v reflect.Value) []reflect.Value {
	if v.Kind() != reflect.String {
		return nil
	}
	return []reflect.Value{reflect.ValueOf(poison).Convert(v.Type())}
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM))

func unsafeAs(t *testing.T, form, told string) string {
	switch {
	case strings.HasPrefix(form, "markdown"):
		var html strings.Builder
		if err := gfm.Convert([]byte(told), &html); err != nil {
			t.Fatal(err)
		}
		return unsafe.FindString(code.ReplaceAllString(html.String(), ""))
	case form == "text", form == "log":
		return command.FindString(told)
	}
	return ""
}

var (
	code    = regexp.MustCompile(`(?s)<code.*?</code>`)
	unsafe  = regexp.MustCompile(`@everyone|<img|href="http://evil|<a [^>]*>x</a>|[^&;]#12\b|\x1b|\x{202e}`)
	command = regexp.MustCompile(`(?m)^\s*::|\x1b|\x{202e}`)
)
