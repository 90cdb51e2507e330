// Package result saves the results of a run in a file: for the shards of a review that runs on several machines, for the second workflow
// that posts the results of a fork's pull request, and for the cache of verdicts.
//
// A file contains the structures of package finding, field by field, so nothing is lost and a file that is read back renders to the same
// bytes. A file may come from an attacker. Read therefore refuses everything that Write would not have written. What it returns can be
// rendered without a panic, and contains no foreign text where renderers expect redline's own words.
package result

import "github.com/redlinehq/redline/engine/finding"

// Format is the version of the file format. It grows with every change of a type that is reachable from File (shape_test.go notices). Read
// accepts no other version.
const Format = 50

// MostShards is the maximum number of shards of a review: the number of jobs in a matrix (docs.github.com, "Running variations of jobs in a
// workflow").
const MostShards = 256

// A File has the results of one run.
type File struct {
	Format int
	Tool   string // the version of redline that wrote it
	Event  string // the event that started the run, as GitHub calls it; empty: none did
	Base   string // the commit that head is compared with; empty: none
	Head   string // the commit that was checked; empty: the work tree
	Terms  Terms

	Shard, Shards int       // the number of this shard, and of all; 1 of 1 is the whole
	Plan          []Planned // of a review: all its contracts, with those of other shards, sorted by path

	Review  *finding.Review   // nil where contracts were checked as they are
	Results []*finding.Result // of a check; nil: a review
	Notices []string          // further notes for the reader
}

// Terms are the conditions, besides texts and redline's version, that verdicts depend on.
type Terms struct {
	States   int    // the limits, as in finding.Budget; 0: none
	Memory   int64  // bytes
	Time     int64  // nanoseconds
	Engine   string // the method; empty: chosen automatically
	Firing   string // one, all; empty: each contract's own rule
	Today    string // the day, as 2027-03-31; empty: not given
	Observe  []string
	Owed     bool   // as in finding.Budget
	Values   string // "sha256:..." of the values of variables; empty: none given
	FailOn   string // what the gate objects to: new, any, never
	Settings string // "sha256:..." of the settings in force
}

// A Planned assigns a contract to a shard.
type Planned struct {
	Path  string // as in the review
	Shard int    // from 1
}

// TermsOf returns the terms that a budget sets.
func TermsOf(b finding.Budget) Terms {
	return Terms{States: b.States, Memory: int64(b.Memory), Time: int64(b.Time), Engine: string(b.Engine), Today: string(b.Today), Observe: b.Observe, Owed: b.Owed}
}
