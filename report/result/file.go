// Package result is what a run found, as a file: for the shards of a review that is spread over several runners, for
// the second workflow that posts what a fork's pull request found, and for the cache of verdicts.
//
// A file has engine's own structures, field by field, so nothing is lost and nothing is told twice: what is read back
// renders to the same bytes. Whoever reads one has to take it for a stranger's. Read therefore
// refuses whatever Write would not have written, and what it returns can be rendered without a panic,
// and without a word that is taken for one of redline's own.
//
//	file.go    what is in a file
//	shape.go   which types there are, and which fields of each
//	write.go   writing
//	read.go    reading, strictly
//	laws.go    what holds of the values, beyond their types
//	whole.go   on disk: whole or not at all
//	join.go    shards joined into the whole
package result

import "github.com/redlinehq/redline/engine/finding"

// Format numbers the shape of a File. It grows with every change of any type that is reachable from File
// (shape_test.go notices); Read takes no other.
const Format = 6

// MostShards is how many parts a review may have: as many as jobs in a matrix (docs.github.com, "Running
// variations of jobs in a workflow").
const MostShards = 256

// A File is what one run found.
type File struct {
	Format int
	Tool   string // the version of redline that wrote it
	Event  string // the event that started the run, as GitHub calls it; empty: none did
	Base   string // the commit that head is compared with; empty: none
	Head   string // the commit that was looked at; empty: the work tree
	Terms  Terms

	Shard, Shards int       // the part of the whole that this is, of how many; 1 of 1 is the whole
	Plan          []Planned // of a review: all its contracts, those of other shards too, in order of their paths

	Review  *finding.Review   // nil where contracts were checked as they are
	Results []*finding.Result // what was found then; else nil
	Notices []string          // what a reader has to know besides
}

// Terms are what verdicts depend on besides the contracts' texts and the version of redline.
type Terms struct {
	States   int    // the limits, as in engine.Budget; 0: none
	Memory   int64  // bytes
	Time     int64  // nanoseconds
	Engine   string // the method; empty: what answers
	Firing   string // one, all; empty: each contract's own rule
	Today    string // the day, as 2027-03-31; empty: nobody said
	Observe  []string
	Owed     bool   // as in engine.Budget
	Values   string // "sha256:..." of what variables were given; empty: nothing
	FailOn   string // what the gate objects to: new, any, never
	Settings string // "sha256:..." of the settings in force
}

// Planned says in which shard a contract is reviewed.
type Planned struct {
	Path  string // as in the review
	Shard int    // from 1
}

// TermsOf are those that a budget says.
func TermsOf(b finding.Budget) Terms {
	return Terms{States: b.States, Memory: int64(b.Memory), Time: int64(b.Time), Engine: string(b.Engine), Today: string(b.Today), Observe: b.Observe, Owed: b.Owed}
}
