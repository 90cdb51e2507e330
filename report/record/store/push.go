package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
)

// away returns a git command that may use the network and credential helpers, but never prompts.
func (r Repository) away(ctx context.Context, args ...string) *exec.Cmd {
	return heard(gitfs.Remote(ctx, r.dir, args...), args)
}

// speakable returns an error if a remote's name is empty or looks like an option.
func speakable(remote string) error {
	if remote == "" || strings.HasPrefix(remote, "-") {
		return fmt.Errorf("%q is no remote: name one of git's, such as origin, or a URL", remote)
	}
	return nil
}

// listed returns the refs of a remote that match patterns, with their objects.
func (r Repository) listed(ctx context.Context, remote string, patterns ...string) (map[string]string, error) {
	if err := speakable(remote); err != nil {
		return nil, err
	}
	out, err := run(ctx, r.away(ctx, append([]string{"ls-remote", "--refs", remote}, patterns...)...), nil)
	if err != nil {
		return nil, fmt.Errorf("listing the records at %s: %w", remote, err)
	}
	there := map[string]string{}
	for one := range strings.Lines(out) {
		object, ref, ok := strings.Cut(strings.TrimSuffix(one, "\n"), "\t")
		if !ok || !record.IsCommit(object) {
			return nil, fmt.Errorf("git ls-remote printed %.200q", one)
		}
		there[ref] = object
	}
	if len(there) > maxRecords {
		return nil, fmt.Errorf("there are more than %d records at %s", maxRecords, remote)
	}
	return there, nil
}

// FetchLog fetches the log of a remote, and the records that it names. In a shallow clone it fetches the entries without the records. It returns
// ErrNoLog if the remote has none, and an error if the log here has another entry at a position.
func (r Repository) FetchLog(ctx context.Context, remote string) error {
	there, err := r.listed(ctx, remote, log.Refs+"*")
	if err != nil {
		return err
	}
	if len(there) == 0 {
		return ErrNoLog
	}
	args := slices.Concat([]string{"fetch"}, fetchOptions, []string{remote, log.Refs + "*:" + log.Refs + "*"})
	if r.Shallow(ctx) {
		args = slices.Insert(args, 1, "--depth=1")
	}
	_, failed := run(ctx, r.away(ctx, args...), nil)
	here, err := r.objectsOf(ctx)
	if err != nil {
		return err
	}
	for _, ref := range slices.Sorted(maps.Keys(there)) {
		switch here[ref] {
		case there[ref]:
		case "":
			return fmt.Errorf("fetching the log of records from %s: %w", remote, orWords(failed, ref+" did not come"))
		default:
			return anotherLog(remote, ref, here[ref], there[ref])
		}
	}
	return nil
}

// anotherLog returns the error for a position that has one entry here and another one at a remote.
func anotherLog(remote, ref, here, there string) error {
	return fmt.Errorf("the log at %s is another one than here, from %s or earlier on (%s here, %s there): somebody wrote it anew, or it is the log of a fork, which needs a clone of its own", remote, ref, short(here), short(there))
}

// fetchOptions have git fetch what is named, and nothing else.
var fetchOptions = []string{"--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", "--no-filter"}

// fetch fetches the records of a remote and returns which it has. If a record differs there, the remote's version replaces ours, provided
// that it says the same and no record here follows ours. Otherwise that is an error.
func (r Repository) fetch(ctx context.Context, remote string) (there map[string]string, err error) {
	if there, err = r.listed(ctx, remote, record.Refs+"*"); err != nil {
		return nil, err
	}
	here, err := r.objectsOf(ctx)
	if err != nil || !lacks(here, there) {
		return there, err
	}
	_, failed := run(ctx, r.away(ctx, slices.Concat([]string{"fetch"}, fetchOptions, []string{remote, record.Refs + "*:" + record.Refs + "*"})...), nil)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if here, err = r.objectsOf(ctx); err != nil {
		return nil, err
	}
	for _, ref := range slices.Sorted(maps.Keys(there)) {
		switch object := there[ref]; here[ref] {
		case object:
		case "":
			return nil, fmt.Errorf("%w: fetching the records from %s: %w", errRaced, remote, orWords(failed, ref+" did not come"))
		default:
			if strings.HasPrefix(ref, log.Refs) {
				return nil, anotherLog(remote, ref, here[ref], object)
			}
			if err := r.adopt(ctx, remote, ref, here[ref], object); err != nil {
				return nil, err
			}
		}
	}
	return there, nil
}

func orWords(err error, words string) error {
	if err != nil {
		return err
	}
	return errors.New(words)
}

// lacks reports whether a remote has a ref that is missing or different here.
func lacks(here, there map[string]string) bool {
	for ref, object := range there {
		if here[ref] != object {
			return true
		}
	}
	return false
}

// objectsOf returns the objects of the records and of the log here, by their refs.
func (r Repository) objectsOf(ctx context.Context) (map[string]string, error) {
	here := map[string]string{}
	for n, err := range r.refsBelow(ctx, record.Refs) {
		if err != nil {
			return nil, err
		}
		here[n.Ref] = n.Object
	}
	return here, nil
}

// adopt replaces our record by a remote's of the same name. Both have the same findings, made at different times, and others already know
// theirs.
func (r Repository) adopt(ctx context.Context, remote, ref, ours, theirs string) error {
	conflict := func(why string) error {
		return fmt.Errorf("the record %s is another one at %s (%s here, %s there), and %s", ref, remote, short(ours), short(theirs), why)
	}
	err := r.Read(ctx, []Name{{ref, theirs}}, func(f ReadResult) error { return f.Wrong })
	if err != nil {
		return conflict(fmt.Sprintf("what is there is no such record: %v", err))
	}
	followed := false
	err = r.each(ctx, func(f ReadResult) error {
		followed = followed || f.Record != nil && f.Record.Parent == ours
		return nil
	})
	switch {
	case err != nil:
		return err
	case followed:
		return conflict("records here follow the one here: 'git fetch' the other with a + only if you know why")
	}
	return r.move(ctx, ref, ours, theirs)
}

// batch limits how many refs are pushed at once.
const batch = 200

// push creates refs at a remote, a batch at a time, all or none of each, and never overwrites one. It returns errRaced if another process
// created one of them first.
func (r Repository) push(ctx context.Context, remote string, names []Name) error {
	for some := range slices.Chunk(names, batch) {
		leases, specs := []string{}, []string{}
		for _, n := range some {
			leases = append(leases, "--force-with-lease="+n.Ref+":")
			specs = append(specs, n.Object+":"+n.Ref)
		}
		if err := r.pushed(ctx, remote, leases, specs); err != nil {
			return fmt.Errorf("pushing %d records to %s: %w", len(some), remote, err)
		}
	}
	return nil
}

// racedWords are phrases in git's error output when a ref changed or was locked by another process, at either end.
var racedWords = []string{"stale info", "fetch first", "non-fast-forward", "already exists", "cannot lock ref", "failed to update ref",
	"failed to lock", "incorrect old value", "but expected", "Unable to create", "unable to create"}

func (r Repository) pushed(ctx context.Context, remote string, leases, specs []string) error {
	args := slices.Concat([]string{"push", "--quiet", "--porcelain", "--atomic", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no"},
		leases, []string{"--", remote}, specs)
	out, err := run(ctx, r.away(ctx, args...), nil)
	if err == nil || ctx.Err() != nil {
		return err
	}
	var f *failure
	if errors.As(err, &f) {
		f.said = strings.TrimSpace(f.said + "\n" + rejections(out))
	}
	if says(err, "Permission denied", "Read-only file system", "No space left", "declined", "insufficient permission", "File too large") || !says(err, racedWords...) {
		return err
	}
	return fmt.Errorf("%w: %w", errRaced, err)
}

// rejections returns the lines of git push --porcelain that give reasons, at most five.
func rejections(out string) string {
	var lines []string
	for one := range strings.Lines(out) {
		if strings.HasPrefix(one, "!") {
			lines = append(lines, strings.TrimSpace(one))
		}
	}
	return strings.Join(lines[:min(len(lines), 5)], "\n")
}
