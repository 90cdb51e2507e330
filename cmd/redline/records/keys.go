package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/report/record"
)

// keyVariable is the environment variable with the signing key.
const keyVariable = "REDLINE_KEY"

// signingKey reads the key from a file, or from the environment; nil if there is none.
func signingKey(file string) (*record.Key, error) {
	text, from := []byte(os.Getenv(keyVariable)), keyVariable
	if file != "" {
		var err error
		if text, err = os.ReadFile(file); err != nil {
			return nil, fmt.Errorf("--key: %w", err)
		}
		from = file
	}
	if strings.TrimSpace(string(text)) == "" && file == "" {
		return nil, nil
	}
	key, err := record.ParseKey(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return key, nil
}

// keysAt returns the accepted keys: those of a file, else those listed in a commit; none if neither lists any.
func keysAt(ctx context.Context, commit, file string) (record.Keys, error) {
	if file != "" {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--keys: %w", err)
		}
		return record.ParseKeys(src, file)
	}
	if commit == "" {
		return nil, nil
	}
	tree, err := gitfs.Open(ctx, ".", commit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	src, err := tree.ReadFile(record.KeysFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return record.ParseKeys(src, record.KeysFile)
}
