package gitfs

import (
	"context"
	"strings"
)

// Uncommitted lists the files of the work tree around dir that match a pattern and differ from HEAD
// or are not tracked, as git's status names them. This alone in the package looks at a work tree.
func Uncommitted(ctx context.Context, dir, pattern string) ([]string, error) {
	out, err := output(ctx, dir, "-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z", "--no-renames",
		"--untracked-files=all", "--", ":(top,glob)**/"+pattern)
	if err != nil {
		return nil, err
	}
	var files []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if len(entry) > 3 { // two letters of status and a blank
			files = append(files, entry[3:])
		}
	}
	return files, nil
}
