package app

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/result"
)

// part selects the shard of a review that this run does, out of how many. It is the value of --shard; the zero part is the whole.
type part struct{ shard, Of int }

var partForm = regexp.MustCompile(`^([1-9][0-9]{0,2})/([1-9][0-9]{0,2})$`)

// Set reads a shard such as 3/8, the third of eight.
func (p *part) Set(text string) error {
	found := partForm.FindStringSubmatch(text)
	if found == nil {
		return fmt.Errorf("%q is no shard: write 3/8 for the third of eight", text)
	}
	shard, _ := strconv.Atoi(found[1]) // digits
	of, _ := strconv.Atoi(found[2])
	if of > result.MostShards {
		return fmt.Errorf("there are at most %d shards, and not %d", result.MostShards, of)
	}
	if shard > of {
		return fmt.Errorf("of %d shards the last is %[1]d/%[1]d", of)
	}
	*p = part{shard, of}
	return nil
}

func (p *part) String() string {
	if p.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.shard, p.Of)
}

// Type returns the form of the value, for a command's help.
func (p *part) Type() string { return "I/N" }

// granted returns the budget, with the settings that no flag has (see Granted).
func (r *ReviewRequest) granted() finding.Budget { return r.How.Granted(r.Budget) }
