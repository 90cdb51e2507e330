package gitfs

import (
	"context"
	"errors"
	"os/exec"
	"strings"
)

// Uncommitted returns the files of the work tree around dir that match a pattern and differ from HEAD or are not tracked, with the names of
// git status. No other function of the package has git read the files of a work tree.
func Uncommitted(ctx context.Context, dir, pattern string) ([]string, error) {
	unfiltered, err := withoutFilters(ctx, dir)
	if err != nil {
		return nil, err
	}
	out, err := output(ctx, dir, append(unfiltered, "status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all",
		"--untracked-files=all", "--", ":(top,glob)**/"+pattern)...)
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

// withoutFilters returns options that switch off the filters in the configuration: git would run them on files to compare these.
func withoutFilters(ctx context.Context, dir string) ([]string, error) {
	out, err := output(ctx, dir, "config", "--null", "--name-only", "--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // none configured
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var options []string
	for name := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		value := ""
		if strings.HasSuffix(name, ".required") {
			value = "false"
		}
		options = append(options, "-c", name+"="+value)
	}
	return options, nil
}
