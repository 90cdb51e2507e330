package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/report/record"
)

func keygenCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keygen FILE",
		Short: "Make a key that signs records",
		Long: `Keygen makes an ed25519 key, writes it to FILE, which must not be there yet, and prints the line that goes into
.github/redline.keys for its records to be accepted. To replace a key, add the new one's line and give the old one's a last day
(until=2027-03-31); to have a key's records refused from now on, take its line out.`,
		Args: cobra.ExactArgs(1),
	}
	name := cmd.Flags().String("name", "redline", "what the key is called in reports")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		key, err := record.NewKey(rand.Reader)
		if err != nil {
			return err
		}
		line := key.Line(*name)
		if _, err := record.ParseKeys([]byte(line), "--name"); err != nil {
			return err
		}
		if err := writeTo(func() (*os.File, error) { return os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) }, func(w io.Writer) error {
			_, err := w.Write(key.PEM())
			return err
		}); err != nil {
			return err
		}
		_, err = fmt.Fprintln(s.out, line)
		return err
	}
	return cmd
}
