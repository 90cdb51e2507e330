package load

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
)

// expect loads the text as one file and wants its first diagnostic to have this code at this line and column.
func expect(t *testing.T, text string, code codes.Code, line, column int) {
	t.Helper()
	src := loadText(t, text)
	if len(src.Diagnostics) == 0 {
		t.Fatalf("no diagnostics, want %s", code)
	}
	d := src.Diagnostics[0]
	if diag.CodeOf(d) != code || d.Subject.Start.Line != line || d.Subject.Start.Column != column {
		t.Errorf("%s at %d:%d (%s), want %s at %d:%d", diag.CodeOf(d), d.Subject.Start.Line, d.Subject.Start.Column, d.Summary, code, line, column)
	}
}

func TestNesting(t *testing.T) {
	for i, open := range []string{"[", `"${`, "(", "{", "a {\n", "f(", "<<E\n${", "[[", `{a="${`} {
		n := 10_000
		if i < 2 {
			n = 100_000
		}
		text := "locals {\n  x = " + strings.Repeat(open, n)
		src := loadText(t, text)
		if got := diag.CodeOf(src.Diagnostics[0]); got != diag.NestedTooDeep && got != diag.ExpressionTooLong {
			t.Errorf("%d times %q: %s", n, open, got)
		}
	}
	expect(t, "locals {\n  x = "+strings.Repeat("[", 64)+strings.Repeat("]", 64)+"\n}\n", diag.NestedTooDeep, 2, 7+63)
	if src := loadText(t, complete("locals {\n  x = "+strings.Repeat("[", 63)+strings.Repeat("]", 63)+"\n}\n")); src.Contract == nil {
		t.Errorf("63 brackets in a block: %v", src.Diagnostics)
	}
}

func TestHolidays(t *testing.T) {
	text := func(n int) string {
		var days []string
		for i := range n {
			days = append(days, time.Date(2027, 1, i, 0, 0, 0, 0, time.UTC).Format(`"2006-01-02"`))
		}
		return "contract \"c\" {\n  calendar = { holidays = [" + strings.Join(days, ", ") + "] }\n}\nparty \"p\" {}\nevent \"e\" { by = p }\n"
	}
	if src := loadText(t, text(maxHolidays)); src.Contract == nil || len(src.Contract.Holidays) != maxHolidays {
		t.Errorf("%d holidays: %v", maxHolidays, src.Diagnostics)
	}
	expect(t, text(maxHolidays+1), diag.ValueTooLarge, 2, 27)
}

func TestOperators(t *testing.T) {
	const n = 10_000
	for _, step := range []string{"!", "-", "1+", "true?1:", "a.", "a && ", "[0][0]", "a[*].", "(1)+", "f(1)+"} {
		expectLong(t, "locals {\n  x = "+strings.Repeat(step, n)+"1\n}\n")
	}
	expectLong(t, "locals {\n  x = \""+strings.Repeat("${1}", n)+"\"\n}\n")
	expectLong(t, "locals {\n  x = (\n"+strings.Repeat("1 +\n", n)+"1)\n}\n")
	names := strings.Repeat("local.a, ", 4_000)
	text := complete("locals {\n  a = 1\n  x = [" + names + "]\n}\n")
	if src := loadText(t, text); src.Contract == nil {
		t.Errorf("a long list is refused: %v", src.Diagnostics)
	}
}

func expectLong(t *testing.T, text string) {
	t.Helper()
	src := loadText(t, text)
	if len(src.Diagnostics) != 1 || diag.CodeOf(src.Diagnostics[0]) != diag.ExpressionTooLong {
		t.Errorf("%.40q...: %.200v", text, src.Diagnostics)
	}
}

func TestLongTextsAndNumbers(t *testing.T) {
	expect(t, "locals {\n  x = <<E\n"+strings.Repeat("\n", 100_000)+"E\n}\n", diag.ValueTooLarge, 1003, 1)
	expect(t, "locals {\n  x = "+strings.Repeat("9", 101)+"\n}\n", diag.ValueTooLarge, 2, 7)
	for _, number := range []string{"1e-999999999", "1E+1001", "1e-99999999999999999999"} { // read as 0, or not at all
		expect(t, "locals {\n  x = "+number+"\n}\n", diag.ValueTooLarge, 2, 7)
	}
	expect(t, complete("locals {\n  x = \""+strings.Repeat("9", 64<<10)+"9\"\n}\n"), diag.ValueTooLarge, 2, 7)
	if src := loadText(t, complete("locals {\n  x = \""+strings.Repeat("9", 64<<10)+"\"\n}\n")); src.Contract == nil {
		t.Errorf("a text of 64 KiB: %v", src.Diagnostics)
	}
}

// All that a contract builds is bounded, and going past it is said once.
func TestWork(t *testing.T) {
	var b strings.Builder
	b.WriteString("locals {\n  long = \"" + strings.Repeat("x", 60_000) + "\"\n")
	for i := range 1_500 {
		fmt.Fprintf(&b, "  v%d = \"${local.long}.\"\n", i)
	}
	src := loadText(t, complete(b.String()+"}\n"))
	if got := codesOf(src); len(got) != 1 || got[0] != diag.ValueTooLarge {
		t.Errorf("%.300v", src.Diagnostics)
	}
}

func TestCharacters(t *testing.T) {
	expect(t, "# é\n# b\u00e9\xff", diag.NotUTF8, 2, 5)
	expect(t, "\xfe", diag.NotUTF8, 1, 1)
	expect(t, "# a\x00", diag.HiddenCharacter, 1, 4)
	for _, r := range "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" {
		expect(t, "# a"+string(r), diag.HiddenCharacter, 1, 4)
	}
}

// An endless file is opened and read up to the limit, not to its end.
type endless struct{ read *int }

func (e endless) Open(name string) (fs.File, error) {
	if name == "." {
		return fstest.MapFS{"a.contract.hcl": {}}.Open(".")
	}
	return e, nil
}
func (e endless) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
func (e endless) Close() error               { return nil }
func (e endless) Read(p []byte) (int, error) {
	if *e.read += len(p); *e.read > 10*hclspec.MaxFileSize {
		return 0, io.EOF
	}
	return len(p), nil
}

func TestFileSize(t *testing.T) {
	read := 0
	src, err := Dir(endless{&read}, ".", "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := codesOf(src); len(got) != 1 || got[0] != diag.FileTooLarge {
		t.Errorf("codes %v", got)
	}
	if read > 2*hclspec.MaxFileSize {
		t.Errorf("read %d bytes of a file that may have %d", read, hclspec.MaxFileSize)
	}
	if len(src.Files) != 0 {
		t.Error("the file is kept")
	}
}

func TestContractSize(t *testing.T) {
	many := fstest.MapFS{}
	for i := range 1_001 {
		many[fmt.Sprintf("%04d.contract.hcl", i)] = &fstest.MapFile{}
	}
	large := fstest.MapFS{}
	for i := range 17 {
		large[fmt.Sprintf("%02d.contract.hcl", i)] = &fstest.MapFile{Data: []byte("#" + strings.Repeat(" ", hclspec.MaxFileSize-1))}
	}
	blocks := fstest.MapFS{"a.contract.hcl": {Data: []byte(strings.Repeat("a{}\n", 100_001))}}
	for at, fsys := range map[string]fstest.MapFS{"1000": many, "16": large, "a": blocks} {
		src, err := Dir(fsys, ".", "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := codesOf(src); len(got) != 1 || got[0] != diag.ContractTooLarge {
			t.Errorf("%s: codes %v", at, got)
		}
		if name := src.Diagnostics[0].Subject.Filename; name != "x/"+at+".contract.hcl" {
			t.Errorf("%s: reported at %s", at, name)
		}
	}
}

// What phases expand to is as large as if it were written out, and has the same limits.
func TestExpandedSize(t *testing.T) {
	template := func(body string) string {
		return "template \"T\" {\n  party \"x\" {\n    state \"a\" {}\n" + body + "  }\n  event \"e\" {\n    by = x\n  }\n}\nparty \"q\" {\n  state \"z\" {}\n}\n"
	}
	phases := func(n int) string {
		return numbered(n, "phase \"f%d\" {\n  template = T\n  count = 100\n  until = e\n  roles = { x = q }\n}\n")
	}
	one := "phase \"f\" {\n  template = T\n  roles = { x = q }\n}\n"
	for name, text := range map[string]string{
		"blocks in blocks":     template(numbered(1_000, "    state \"s%d\" {}\n")) + phases(1),
		"text":                 template(numbered(5, "    state \"s%d\" {\n      title = \""+strings.Repeat("x", 50_000)+"\"\n    }\n")) + phases(1),
		"rounds":               template("") + phases(1_001),
		"one for each of some": strings.Replace(template(""), "\"q\" {", "\"q\" {\n  count = 100", 1) + strings.Replace(numbered(1_001, strings.Replace(one, "\"f\"", "\"f%d\"", 1)), "= q", "= each(q)", -1),
	} {
		src := loadText(t, "contract \"c\" {}\n"+text)
		if got := codesOf(src); len(got) != 1 || got[0] != diag.ContractTooLarge {
			t.Errorf("%s: codes %v", name, got)
		}
	}
}

// Of blocks with too many instances the first ten are reported; after them none are made.
func TestManyFamilies(t *testing.T) {
	src := loadText(t, "contract \"c\" {}\n"+numbered(300, "party \"p%d\" {\n  count = 10000\n  flag \"f\" {}\n}\n"))
	if got := codesOf(src); len(got) != maxCrowds || slices.ContainsFunc(got, func(c codes.Code) bool { return c != diag.Expansion }) {
		t.Errorf("codes %v", got)
	}
}

func numbered(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// What is not a regular file is refused without being opened.
func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("secret = \"s3cret\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("secret", filepath.Join(dir, "a.contract.hcl")); err != nil {
		t.Skipf("this system makes no symbolic links: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "b.contract.hcl"), 0o755); err != nil {
		t.Fatal(err)
	}
	src, err := Dir(os.DirFS(dir), ".", "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(codesOf(src)); got != "[not-a-regular-file not-a-regular-file]" {
		t.Errorf("codes %s", got)
	}
	if len(src.Files) != 0 {
		t.Errorf("something was read: %v", src.Files)
	}
}

func TestWorldFails(t *testing.T) {
	_, err := Dir(fstest.MapFS{}, "nowhere", "shown/nowhere", nil)
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "shown/nowhere") {
		t.Errorf("error %v", err)
	}
}

// Suggestions stay affordable when thousands of names are unknown, and the first ones are still made.
func TestFileNameNotUTF8(t *testing.T) {
	_, err := Dir(fstest.MapFS{"a\xff.contract.hcl": {}}, ".", "sale", nil)
	if err == nil || !strings.Contains(err.Error(), `the file name "a\xff.contract.hcl" is not UTF-8: rename it`) {
		t.Error(err)
	}
}

func TestManyUnknownNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\nparty \"p\" {\n")
	for i := range 5_000 {
		fmt.Fprintf(&b, "  state \"state%d\" {}\n", i)
	}
	for i := range 5_000 {
		fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = stata%d\n    to = state0\n  }\n", i, i)
	}
	src := loadText(t, b.String()+"}\n")
	if len(src.Diagnostics) != 5_000 {
		t.Fatalf("%d diagnostics", len(src.Diagnostics))
	}
	if d := src.Diagnostics[0]; d.Detail != `Did you mean "state0"?` {
		t.Errorf("first: %s", d.Detail)
	}
}

// vast is a tree in which files of more than a megabyte can't be opened, as gitfs can't read what is very large.
type vast struct{ fstest.MapFS }

func (v vast) Open(name string) (fs.File, error) {
	if f := v.MapFS[name]; f != nil && len(f.Data) > hclspec.MaxFileSize {
		return nil, errors.New("too large to open")
	}
	return v.MapFS.Open(name)
}

// A file that is too large is a mistake in its contract, whatever the tree can read of it, and ends nobody else's review.
func TestVastFileIsNotOpened(t *testing.T) {
	tree := vast{fstest.MapFS{"sale/a.contract.hcl": {Data: make([]byte, 3*hclspec.MaxFileSize)}, "sale/b.contract.hcl": {Data: []byte(`contract "sale" {}`)}}}
	src, err := Dir(tree, "sale", "sale", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(src.Diagnostics) == 0 || diag.CodeOf(src.Diagnostics[0]) != diag.FileTooLarge {
		t.Errorf("%v", src.Diagnostics)
	}
}
