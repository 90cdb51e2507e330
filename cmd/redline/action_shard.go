package main

// part is the part of a review that this job does; empty: all of it.
func (a *action) part() string {
	if a.shard == "merge" || a.shard == "plan" {
		return ""
	}
	return a.shard
}
