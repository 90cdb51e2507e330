package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/result"
)

// SaveCertificates writes a file for each verdict that can be proved, and passes a note on each verdict to note.
func SaveCertificates(ctx context.Context, note func(...string), dir string, drafts []*compile.Draft, results []*finding.Result, b finding.Budget) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("certificates: %w", err)
	}
	taken := map[string]bool{}
	for i, d := range drafts {
		for _, c := range verify.Certify(ctx, d, b, results[i]) {
			if c.Data == nil {
				note(fmt.Sprintf("no certificate of %s: %s", certifies(d, c.Requirement), c.Reason))
				continue
			}
			name := filepath.Join(dir, certificateName(d, c.Requirement, taken))
			if err := saveCertificate(name, c.Data); err != nil {
				return err
			}
			note(fmt.Sprintf("certificate of %s: %s (%d bytes)", certifies(d, c.Requirement), filepath.ToSlash(name), len(c.Data)))
		}
	}
	return nil
}

func certifies(d *compile.Draft, requirement string) string {
	if requirement == "" {
		return d.Spec.Name + ": no place is ever marked twice"
	}
	return d.Spec.Name + "." + requirement
}

func saveCertificate(name string, data []byte) error {
	return result.Replace(name, func(to *os.File) error {
		if _, err := to.Write(data); err != nil {
			return err
		}
		return to.Sync() // a full disk may show only now
	})
}

// certificateName returns contract.requirement, with a number if that is taken already.
func certificateName(d *compile.Draft, requirement string, taken map[string]bool) string {
	if requirement == "" {
		requirement = "one-safe,"
	}
	plain := func(r rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,", r) {
			return r
		}
		return '_'
	}
	first := strings.TrimRight(strings.TrimLeft(strings.Map(plain, d.Spec.Name+"."+requirement), "."), ",")
	name := first + ".certificate"
	for n := 2; taken[strings.ToLower(name)]; n++ { // some file systems ignore case
		name = fmt.Sprintf("%s-%d.certificate", first, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// VerifyCertificates writes for each file whether it is accepted, and returns the exit status.
func VerifyCertificates(ctx context.Context, w io.Writer, names []string, drafts []*compile.Draft, b finding.Budget) (finding.ExitStatus, error) {
	status, safe, relied := finding.Clean, map[string]bool{}, map[string]string{}
	for _, name := range names {
		c, err := readCertificate(name)
		if err == nil {
			err = verifyCertificate(ctx, c, drafts, b)
		}
		var refused *checker.Refusal
		switch {
		case err == nil:
			fmt.Fprintf(w, "%s: accepted: %s\n", escape.TerminalText(name), escape.TerminalText(proved(c, drafts)))
			if c.Requirement == "" {
				safe[c.Contract] = true
			} else {
				relied[c.Contract] = nameOf(c, drafts)
			}
		case errors.As(err, &refused):
			status = max(status, finding.Violations)
			fmt.Fprintf(w, "%s: refused: %s\n", escape.TerminalText(name), escape.TerminalText(refused.Error()))
		case errors.Is(err, checker.ErrIllFormed):
			status = finding.BadInput
			fmt.Fprintf(w, "%s: ill-formed: %s\n", escape.TerminalText(name), escape.TerminalText(err.Error()))
		case c == nil: // it could not be read, and the error has its name
			return status, err
		default:
			return status, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, digest := range slices.Sorted(maps.Keys(relied)) {
		if !safe[digest] {
			fmt.Fprintf(w, "That no place of %s is ever marked twice is taken for granted: its certificate one-safe was not among these.\n",
				escape.TerminalText(relied[digest]))
		}
	}
	return status, nil
}

// readCertificate reads a certificate, up to the size that one can have.
func readCertificate(name string) (*checker.Certificate, error) {
	data, err := ReadRegular(name, checker.MaxBytes+1)
	if err != nil {
		return nil, err
	}
	return checker.Decode(data)
}

// verifyCertificate checks a certificate against its contract, if that is among the drafts.
func verifyCertificate(ctx context.Context, c *checker.Certificate, drafts []*compile.Draft, b finding.Budget) error {
	if b.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, b.Time, fmt.Errorf("the time limit of %s ran out (--timeout)", b.Time))
		defer cancel()
	}
	if d := draftOf(c, drafts); d != nil {
		return verify.VerifyCertificate(ctx, d, c)
	}
	for _, d := range drafts {
		if d.Spec == nil {
			return fmt.Errorf("the contract %s is ill-formed: 'redline check' says how", d.Path)
		}
	}
	if len(drafts) == 1 {
		return verify.VerifyCertificate(ctx, drafts[0], c)
	}
	return &checker.Refusal{Why: fmt.Sprintf("none of the %d contracts here has the digest %s", len(drafts), c.Contract)}
}

func draftOf(c *checker.Certificate, drafts []*compile.Draft) *compile.Draft {
	for _, d := range drafts {
		if d.Spec != nil && d.Digest == c.Contract {
			return d
		}
	}
	return nil
}

func nameOf(c *checker.Certificate, drafts []*compile.Draft) string {
	return draftOf(c, drafts).Spec.Name
}

func proved(c *checker.Certificate, drafts []*compile.Draft) string {
	if c.Requirement == "" {
		return fmt.Sprintf("no place of %s is ever marked twice", nameOf(c, drafts))
	}
	verdict := finding.Violated
	if c.Holds {
		verdict = finding.Holds
	}
	return fmt.Sprintf("%s.%s: %s: %s", nameOf(c, drafts), c.Requirement, verdict, c.Formula)
}
