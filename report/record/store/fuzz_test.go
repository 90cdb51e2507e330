package store

import (
	"bytes"
	"strings"
	"testing"

	"github.com/redlinehq/redline/report/record"
)

// FuzzParse: what is read either is exactly what redline writes, or is refused; nothing makes reading panic.
func FuzzParse(f *testing.F) {
	r := newRepo(f)
	r.Commit("a/x.contract.hcl", deal(0, false))
	r.attest("HEAD", signedBy(newKey(f)))
	r.Commit("a/x.contract.hcl", deal(1, true))
	r.attest("HEAD")
	for _, record := range r.records() {
		f.Add(record.object())
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, digits := range []int{40, 64} {
			id := objectID(digits, raw)
			record, err := parse(record.Refs+strings.Repeat("0", 64)+"/"+strings.Repeat("0", 64), id, raw)
			if err == nil {
				t.Error("it is taken under any name")
			}
			if record == nil {
				continue
			}
			record.Ref = record.Statement.Ref(record.keyID)
			again, err := parse(record.Ref, id, raw)
			if err == nil && !bytes.Equal(again.object(), raw) {
				t.Error("it would be written otherwise")
			}
		}
	})
}

// FuzzKeys: a file of keys is read or refused.
func FuzzKeys(f *testing.F) {
	f.Add("# remark\nalice ed25519:6MkBUlmhjaVh+RFzEGIcyT0BrxvENXyDvh26bCfwiJQ= until=2027-03-31\n")
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := record.ParseKeys([]byte(text), "keys")
		if (err == nil) != (len(keys) > 0) {
			t.Errorf("%d keys, %v", len(keys), err)
		}
	})
}

// TestForeignStatements: each is refused for what is wrong with it.
func TestForeignStatements(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, false))
	kept := r.attest("HEAD")[0]
	good := string(r.records()[kept.Ref].Statement.Encode())
	if _, err := record.DecodeStatement([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, says string }{
		"another format":      {`"format": 2`, `"format": 3`, "format 3"},
		"an unknown field":    {`"format": 2,`, `"format": 2, "more": 1,`, "unknown field"},
		"a field twice":       {`"path": "a",`, `"path": "a",` + "\n   " + `"path": "a",`, "twice"},
		"a field missing":     {`"title": "Deal ",`, ``, "missing"},
		"another letter case": {`"path": "a",`, `"Path": "a",`, "missing"},
		"a path outside":      {`"path": "a"`, `"path": "../a"`, "no directory"},
		"a line end in it":    {`"path": "a"`, `"path": "a\n"`, "control characters"},
		"no such verdict":     {`"verdict": "violated"`, `"verdict": "fine"`, "none of"},
		"another result":      {`"result": "FAILED"`, `"result": "PASSED"`, "not that of its verdicts"},
		"a negative limit":    {`"states": 0,`, `"states": -1,`, "negative"},
		"a huge count":        {`"states": 0,`, `"states": 1e400,`, "number"},
		"no time":             {`"attested": "2026-03-31T12:00:00Z"`, `"attested": "yesterday"`, "no time"},
		"another zone":        {`"attested": "2026-03-31T12:00:00Z"`, `"attested": "2026-03-31T12:00:00+01:00"`, "UTC"},
		"another model":       {`"model": "sha256:`, `"model": "sha256:0`, "no SHA-256"},
		"more after its end":  {"\n}\n", "\n}\n{}\n", ""},
		"brackets":            {`"format": 2`, `"format": ` + strings.Repeat("[", 100_000), ""},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(good, c.old, c.new, 1)
			if bad == good {
				t.Fatal("nothing is changed")
			}
			if _, err := record.DecodeStatement([]byte(bad)); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestForeignEnvelopes: an envelope is written in one way only.
func TestForeignEnvelopes(t *testing.T) {
	r := newRepo(t)
	r.Commit("a/x.contract.hcl", deal(0, true))
	key := newKey(t)
	kept := r.attest("HEAD", signedBy(key))[0]
	text, _ := record.Wrap(r.records()[kept.Ref].Statement, key)
	good := string(text)
	if _, id, _, err := record.Unseal(text); err != nil || id != key.ID() {
		t.Fatal(id, err)
	}
	for name, c := range map[string][2]string{
		"another payload":   {record.PayloadType, "text/plain"},
		"a line end inside": {`"payload": "`, `"payload": "\n`},
		"no signature":      {`"signatures": [`, `"signatures": [], "x": [`},
		"a short signature": {`"sig": "`, `"sig": "AAAA`},
		"a key without id":  {key.ID(), ""},
	} {
		bad := strings.Replace(good, c[0], c[1], 1)
		if _, _, _, err := record.Unseal([]byte(bad)); err == nil || bad == good {
			t.Errorf("%s is taken", name)
		}
	}
}
