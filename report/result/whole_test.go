package result_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/result"
)

// TestSaveIsWholeOrNothing: what can't be written leaves what was there, and nothing half done beside it.
func TestSaveIsWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "1.json")
	good := whole(&finding.Review{Base: "main", Head: "HEAD"})
	if err := result.Save(name, good); err != nil {
		t.Fatal(err)
	}
	bad := whole(&finding.Review{})
	bad.Shard = 7 // found to be wrong once nearly all is written
	if err := result.Save(name, bad); err == nil {
		t.Error("it was saved")
	}
	full := errors.New("no space left")
	if err := result.Replace(name, func(f *os.File) error { _, _ = f.WriteString("{"); return full }); !errors.Is(err, full) {
		t.Error(err)
	}
	if f, err := result.Load(name); err != nil || !same(reflect.ValueOf(f), reflect.ValueOf(good)) {
		t.Errorf("%+v %v", f, err)
	}
	if there, err := os.ReadDir(dir); err != nil || len(there) != 1 {
		t.Errorf("%v %v", there, err)
	}
	if err := result.Save(filepath.Join(dir, "none", "1.json"), good); err == nil {
		t.Error("there is no such directory")
	}
}
