package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/edit"
	"github.com/redlinehq/redline/report/words"
)

// TestGitApplies: git itself takes the patch of a repair, without options, and makes of the file what was checked. Edits stand at both ends, side by side
// and a few lines apart, and the last line may have no end.
func TestGitApplies(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	applied := 0
	for seed := range uint64(100) {
		draw := rand.New(rand.NewPCG(seed, 0))
		text, splices := drawnEdits(draw)
		var edits []finding.Edit
		for _, s := range text.Around(text.Lines(splices), words.ContextLines) {
			edits = append(edits, finding.Edit{Range: s.Range, Old: s.Old, New: s.New})
		}
		parts, ok := words.Hunks(edits)
		if !ok || len(parts) == 0 {
			continue
		}
		applied++
		for name, src := range text {
			if err := os.WriteFile(filepath.Join(dir, name), src, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		diff := strings.Join(words.Patch(parts), "\n") + "\n"
		cmd := exec.Command("git", "apply", "-")
		cmd.Dir, cmd.Stdin, cmd.Env = dir, strings.NewReader(diff), append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%d: %v\n%s\n%s", seed, err, out, diff)
		}
		for name, want := range text.Splice(splices) {
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d: %v\n%q, not\n%q, of\n%q\n%s", seed, err, got, want, text[name], diff)
			}
		}
	}
	if applied < 40 {
		t.Errorf("only %d patches", applied)
	}
}

// TestGitAppliesTwo: of two patches git takes each after the other, or, if they are near each other, one patch in place of the two.
func TestGitAppliesTwo(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	apply := func(hunks []words.Hunk) error {
		cmd := exec.Command("git", "apply", "-")
		cmd.Dir, cmd.Stdin, cmd.Env = dir, strings.NewReader(strings.Join(words.Patch(hunks), "\n")+"\n"), append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s%s", err, out, strings.Join(words.Patch(hunks), "\n"))
		}
		return nil
	}
	apart, joint := 0, 0
	for seed := range uint64(150) {
		draw := rand.New(rand.NewPCG(seed, 1))
		text, splices := drawnEdits(draw)
		var halves [2][]edit.Splice
		for i, s := range splices {
			halves[i%2] = append(halves[i%2], s)
		}
		var patches [2][]words.Hunk
		for i, half := range halves {
			var edits []finding.Edit
			for _, s := range text.Around(text.Lines(half), words.ContextLines) {
				edits = append(edits, finding.Edit{Range: s.Range, Old: s.Old, New: s.New})
			}
			patches[i], _ = words.Hunks(edits)
		}
		if len(patches[0]) == 0 || len(patches[1]) == 0 {
			continue
		}
		for name, src := range text {
			if err := os.WriteFile(filepath.Join(dir, name), src, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		order := patches[:]
		if words.Near(patches[0], patches[1]) {
			one, ok := words.Joint(patches[0], patches[1])
			if !ok {
				continue
			}
			order = [][]words.Hunk{one}
			joint++
		} else {
			apart++
		}
		for _, p := range order {
			if err := apply(p); err != nil {
				t.Fatalf("%d: %v", seed, err)
			}
		}
		for name, want := range text.Splice(splices) {
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d: %v\n%q, not\n%q, of\n%q\n%v", seed, err, got, want, text[name], order)
			}
		}
	}
	if apart < 10 || joint < 20 {
		t.Errorf("only %d apart and %d joint", apart, joint)
	}
}

// TestPatchIsTheBlock: the patch that takes a block out of a file or puts it there has the lines of that block, wherever it is in the file, and not
// the end of the block above.
func TestPatchIsTheBlock(t *testing.T) {
	blocks := []string{
		"permission \"a\" {\n  bearer = buyer\n  of     = cancel\n}\n",
		"permission \"b\" {\n  bearer = buyer\n  of     = cancel\n}\n",
		"event \"c\" { by = buyer }\n",
		"party \"d\" {\n  state \"s\" {\n    title = \"t\"\n  }\n  state \"u\" {\n    title = \"t\"\n  }\n}\n",
		"prohibition \"e\" {\n  title  = \"no\"\n  bearer = buyer\n  of     = cancel\n}\n",
	}
	for _, between := range []string{"", "\n"} {
		src := strings.Join(blocks, between)
		for k, block := range blocks {
			from := strings.Index(src, block)
			to := from + len(block)
			if k+1 < len(blocks) {
				to += len(between)
			} else {
				from -= len(between)
			}
			without := src[:from] + src[to:]
			for _, was := range []string{src, without} {
				text := edit.Text{"c.contract.hcl": []byte(was)}
				cut := edit.Splice{Range: hcl.Range{Filename: "c.contract.hcl", Start: hclspec.PosAt([]byte(was), from), End: hclspec.PosAt([]byte(was), from)}, New: src[from:to]}
				sign := "+"
				if was == src {
					cut.Range.End, cut.New, sign = hclspec.PosAt([]byte(was), to), "", "-"
				}
				var edits []finding.Edit
				for _, s := range text.Around(text.Lines([]edit.Splice{cut}), words.ContextLines) {
					edits = append(edits, finding.Edit{Range: s.Range, Old: s.Old, New: s.New})
				}
				parts, ok := words.Hunks(edits)
				if !ok || len(parts) != 1 {
					t.Fatalf("%q: %v", block, parts)
				}
				want := sign + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n"+sign)
				if got := strings.Trim(strings.Join(parts[0].Body(), "\n"), "\n+-"); got != strings.Trim(want, "+-") {
					t.Errorf("%q between, %s:\n%s\n%s", between, sign, got, want)
				}
			}
		}
	}
}

// drawnEdits draws two files and edits of their lines.
func drawnEdits(draw *rand.Rand) (edit.Text, []edit.Splice) {
	text := edit.Text{}
	var splices []edit.Splice
	for _, name := range []string{"a.contract.hcl", "b.contract.hcl"} {
		var lines []string
		for range 1 + draw.IntN(25) {
			lines = append(lines, []string{"}", "  x = 1", "", fmt.Sprintf("state %d", draw.IntN(5))}[draw.IntN(4)]+"\n")
		}
		if draw.IntN(3) == 0 {
			lines[len(lines)-1] = "the last one"
		}
		src := []byte(strings.Join(lines, ""))
		text[name] = src
		for at := 0; at < len(lines); at += 1 + draw.IntN(9) {
			if draw.IntN(2) == 0 {
				continue
			}
			end := min(len(lines), at+draw.IntN(3))
			var fresh string
			for range draw.IntN(3) {
				fresh += []string{"}", "  x = 1", "", fmt.Sprintf("new %d", draw.IntN(9))}[draw.IntN(4)] + "\n" // like lines around it, mostly
			}
			from, to := len(strings.Join(lines[:at], "")), len(strings.Join(lines[:end], ""))
			if to == len(src) && !strings.HasSuffix(string(src), "\n") || from == to && fresh == "" {
				continue
			}
			splices = append(splices, edit.Splice{Range: hcl.Range{Filename: name, Start: hclspec.PosAt(src, from), End: hclspec.PosAt(src, to)}, New: fresh})
			at = end
		}
	}
	return text, slices.Clip(splices)
}
