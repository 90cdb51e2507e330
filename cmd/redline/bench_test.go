package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// BenchmarkCheckSale is the whole of "redline check" on the sale, but for starting the process.
func BenchmarkCheckSale(b *testing.B) {
	b.Chdir("../../hclspec/examples")
	for b.Loop() {
		if status := Main([]string{"check", "sale"}, streams{strings.NewReader(""), io.Discard, os.Stderr}); status != 0 {
			b.Fatalf("exit status %d", status)
		}
	}
}

// TestSameBytes checks every example again and again, with more and fewer goroutines.
func TestSameBytes(t *testing.T) {
	dirs, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../hclspec/examples")
	for _, format := range []string{"text", "markdown", "json"} {
		var first []byte
		for _, jobs := range []string{"1", "2", "8", "1", "2", "8", "1", "2", "8", "4"} {
			var out bytes.Buffer
			Main(append([]string{"check", "--firing", "all", "--format", format, "--jobs", jobs}, dirs...), streams{strings.NewReader(""), &out, os.Stderr})
			if first == nil {
				first = out.Bytes()
			}
			if out.Len() == 0 || !bytes.Equal(first, out.Bytes()) {
				t.Fatalf("%s: another run printed other bytes:\n%s\n%s", format, first, out.Bytes())
			}
		}
	}
}
