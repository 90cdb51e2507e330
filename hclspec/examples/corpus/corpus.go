// Package corpus serves tests only: where the protocols, nets and descriptions of other people are that tests hold redline against. No clone
// has them. REDLINE_CORPORA names their directory, in which .ci/corpora puts those that it can fetch; without it, they are looked for beside the project.
package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the name of a file or directory of the corpora, given with slashes, whether it is there or not.
func Path(name string) string { return filepath.Join(root(), filepath.FromSlash(name)) }

// Need is Path, and skips the test where the file is not there.
func Need(t testing.TB, name string) string {
	t.Helper()
	if !Has(name) {
		t.Skipf("%s of the corpora is not here (REDLINE_CORPORA names their directory)", name)
	}
	return Path(name)
}

// Has says whether a file or directory of the corpora is there.
func Has(name string) bool {
	_, err := os.Stat(Path(name))
	return err == nil
}

func root() string {
	if dir := os.Getenv("REDLINE_CORPORA"); dir != "" {
		return dir
	}
	return filepath.Join(top(), "..", "shared")
}

// started is where the test runs: it may change its directory later.
var started, _ = os.Getwd()

// top is the directory of the project: that of go.mod, here or above.
func top() string {
	for dir := started; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
	}
}
