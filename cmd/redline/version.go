package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// released is the version of a released binary; .github/release/build sets it. The Go command would record one only
// with what it knows of git, and then the bytes would depend on the clone they are built in.
var released string

// version is the release's, or else the module's as the Go command recorded it in the binary.
func version() string {
	if released != "" {
		return released
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

func versionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.out, "redline "+version())
			return err
		},
	}
}
