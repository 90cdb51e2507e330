package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestActionRecords: the default branch is recorded where the settings want it, and nothing else ever is.
func TestActionRecords(t *testing.T) {
	const wants = "record = true\n"
	for name, c := range map[string]struct {
		event, ref, settings string
		records              int
	}{
		"a push to the default branch":   {"push", "refs/heads/main", wants, 2},
		"run by hand":                    {"workflow_dispatch", "refs/heads/main", wants, 2},
		"nobody wants it":                {"push", "refs/heads/main", "", 0},
		"another branch":                 {"push", "refs/heads/other", wants, 0},
		"a merge queue":                  {"merge_group", "refs/heads/main", wants, 0},
		"a pull request":                 {"pull_request", "refs/pull/1/merge", wants, 0},
		"a pull request's target branch": {"pull_request_target", "refs/heads/main", wants, 0},
	} {
		t.Run(name, func(t *testing.T) {
			origin := newOrigin(t)
			d := origin.clone()
			base := d.git("rev-parse", "HEAD")
			if err := os.MkdirAll(filepath.Join(d.dir, ".github"), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(d.dir, ".github", "redline.hcl"), []byte(c.settings), 0o666); err != nil {
				t.Fatal(err)
			}
			d.draft("settings")
			d.git("push", "-q", "origin", "HEAD:main")
			files := t.TempDir()
			payload := fmt.Sprintf(`{"before": %q, "repository": {"default_branch": "main"}, "merge_group": {"base_sha": %q},
				"pull_request": {"number": 1, "base": {"sha": %q, "repo": {"full_name": "a/b"}}, "head": {"sha": %q, "repo": {"full_name": "a/b"}}}}`,
				base, base, base, d.git("rev-parse", "HEAD"))
			if err := os.WriteFile(filepath.Join(files, "event"), []byte(payload), 0o666); err != nil {
				t.Fatal(err)
			}
			for name, value := range map[string]string{
				"GITHUB_EVENT_NAME": c.event, "GITHUB_EVENT_PATH": filepath.Join(files, "event"), "GITHUB_REF": c.ref,
				"GITHUB_SHA": d.git("rev-parse", "HEAD"), "GITHUB_STEP_SUMMARY": filepath.Join(files, "summary"), "GITHUB_OUTPUT": filepath.Join(files, "output"),
				"GITHUB_REPOSITORY": "a/b", "INPUT_TOKEN": "", "INPUT_SHARD": "", "INPUT_CACHE": "",
			} {
				t.Setenv(name, value)
			}
			t.Chdir(d.dir)
			var out, errs bytes.Buffer
			Main([]string{"action"}, streams{strings.NewReader(""), &out, &errs})
			if n := len(origin.records()); n != c.records {
				t.Errorf("%d records, want %d\n%s%s", n, c.records, &out, &errs)
			}
			summary, err := os.ReadFile(filepath.Join(files, "summary"))
			if err != nil || strings.Contains(string(summary), "\nredline/log/") != (c.records > 0) {
				t.Errorf("%v, %s", err, summary)
			}
			if c.records > 0 {
				d.ran(0, "verify", "--checkpoint", filepath.Join(files, "summary"))
			}
			if c.records > 0 && (strings.Contains(out.String(), "no record was kept") || !strings.Contains(origin.git("for-each-ref"), "refs/redline/log/1")) {
				t.Error(out.String())
			}
		})
	}
}

// TestActionCannotRecord: that the records could not be kept is said, and is no verdict.
func TestActionCannotRecord(t *testing.T) {
	origin := newOrigin(t)
	d := origin.clone()
	if err := os.MkdirAll(filepath.Join(d.dir, ".github"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.dir, ".github", "redline.hcl"), []byte("record = true\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	d.draft("settings")
	d.git("remote", "set-url", "origin", "file://"+filepath.ToSlash(t.TempDir()))
	event := filepath.Join(t.TempDir(), "event")
	if err := os.WriteFile(event, []byte(`{"repository": {"default_branch": "main"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"GITHUB_EVENT_NAME": "workflow_dispatch", "GITHUB_EVENT_PATH": event, "GITHUB_REF": "refs/heads/main",
		"GITHUB_SHA": d.git("rev-parse", "HEAD"), "GITHUB_STEP_SUMMARY": "", "GITHUB_OUTPUT": "", "INPUT_TOKEN": "", "INPUT_SHARD": "", "INPUT_CACHE": ""} {
		t.Setenv(name, value)
	}
	t.Chdir(d.dir)
	var out, errs bytes.Buffer
	status := Main([]string{"action"}, streams{strings.NewReader(""), &out, &errs})
	if status != 0 || !strings.Contains(out.String(), "no record was kept") {
		t.Errorf("exit status %d\n%s%s", status, &out, &errs)
	}
}

// TestActionKeepsCheckpoint: where base's settings have records kept, the comment on a pull request has a checkpoint of their log, which 'redline verify' takes
// as it is copied from there. The comment of an amendment that wants them kept, only, has none.
func TestActionKeepsCheckpoint(t *testing.T) {
	p := open(t, addWithdrawal)
	wants := func(branch string) {
		p.git("checkout -q " + branch)
		if err := os.MkdirAll(filepath.Join(p.origin, ".github"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.origin, ".github", "redline.hcl"), []byte("record = true\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		p.git("add .", "commit -q -m settings")
	}
	merged := func() {
		p.git("checkout -q amendment")
		p.head = p.commit()
		p.git("checkout -q main")
		p.base = p.commit()
		p.git("checkout -q -B merge main", "merge -q --no-ff -m merge amendment")
		p.merge = p.commit()
	}
	wants("amendment")
	merged()
	h, env := p.hub("acme/deals", "pull-requests: write")
	comment := func(checkpoints int) string {
		t.Helper()
		got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), env...)
		all := h.Comments(7)
		if got.status != 1 || len(all) != 1 || strings.Count(all[0].Body, "\nredline/log/") != checkpoints || strings.Contains(got.log, "could be told or kept") {
			t.Fatalf("exit status %d, %v\n%s", got.status, all, got.log)
		}
		name := filepath.Join(t.TempDir(), "comment")
		if err := os.WriteFile(name, []byte("> "+strings.ReplaceAll(all[0].Body, "\n", "\r\n> ")), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Chdir(p.origin)
		p.git("checkout -q main")
		return name
	}
	kept := desk{t, p.origin}
	kept.ran(0, "attest", "main")
	comment(0) // base does not want it
	wants("main")
	merged()
	unsigned := comment(1)
	if said := kept.ran(0, "verify", "--checkpoint", unsigned); !strings.Contains(said, "The log extends the checkpoint "+unsigned) || !strings.Contains(said, "(2 entries, unsigned)") {
		t.Error(said)
	}
	name, keys := filepath.Join(t.TempDir(), "key"), filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(keys, []byte(kept.ran(0, "keygen", "--name", "ada", name)), 0o666); err != nil {
		t.Fatal(err)
	}
	env = append(env, "REDLINE_KEY", p.read(name))
	p.git("update-ref refs/redline/log/2 HEAD") // what is no entry is no reason to say nothing
	if got := p.run(p.merge, "pull_request", payloadFrom(p, "acme/deals"), env...); got.status != 1 || !strings.Contains(got.log, "the comment has no checkpoint of the records: ") {
		t.Errorf("exit status %d\n%s", got.status, got.log)
	}
	p.git("update-ref -d refs/redline/log/2")
	if said := kept.ran(1, "verify", "--keys", keys, "--checkpoint", comment(1)); !strings.Contains(said, "(2 entries, signed by ada)") {
		t.Error(said)
	}
	p.git("update-ref -d refs/redline/log/1")
	if said := kept.ran(1, "verify", "--checkpoint", unsigned); !strings.Contains(said, "missing: refs/redline/log/1") {
		t.Error(said)
	}
	p.git("update-ref -d refs/redline/log/0")
	comment(0) // there is no log
}
