package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
)

// wholeLimits lists the commands whose --timeout is for everything they do. The others that read contracts have one for each version of a
// contract.
var wholeLimits = map[string]time.Duration{
	"checkpoint": settings.Default().Limits.Timeout,
	"export":     settings.Default().Limits.Timeout,
	"fmt":        settings.Default().Limits.Timeout,
	"graph":      settings.Default().Limits.Timeout,
	"import":     settings.Default().Limits.Timeout,
	"merge":      settings.Default().Limits.Timeout,
	"plan":       settings.Default().Limits.Timeout,
	"replay":     settings.Default().Limits.Timeout,
	"vendor":     settings.Default().Limits.Timeout,
	"verify":     0, // what it checks again has the limit of its record
}

// limitWhole adds --timeout to a listed command, and ends the command at that time.
func limitWhole(cmd *cobra.Command, w io.Writer) {
	limit, listed := wholeLimits[cmd.Name()]
	if !listed {
		return
	}
	cmd.Flags().DurationVar(&limit, "timeout", limit, "time for all of it; 0: no limit")
	flag := cmd.Flags().Lookup("timeout")
	flag.Value = option.NotNegative{Value: flag.Value}
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if limit == 0 {
			return run(cmd, args)
		}
		stopped := &finding.Stopped{Reason: fmt.Sprintf("the time limit of %s ran out (--timeout)", limit)}
		ctx, cancel := context.WithTimeoutCause(cmd.Context(), limit, stopped)
		defer cancel()
		defer endAnyhow(ctx, stopped, w)()
		cmd.SetContext(ctx)
		err := run(cmd, args)
		if verdict := verdictError(0); err == nil || errors.As(err, &verdict) || context.Cause(ctx) != stopped {
			return err
		}
		return stopped
	}
}

// grace is the time that a command has to report its results after its limit, or a signal, has ended it.
const grace = 1500 * time.Millisecond

// endAnyhow ends the process if a context has ended, for a cause if one is given, and the command has not returned a while later. It returns a
// function that calls this off. Commands check their context; this is for work in one piece, such as parsing a very long line.
func endAnyhow(ctx context.Context, cause error, w io.Writer) (callOff func()) {
	over := make(chan struct{})
	go func() {
		select {
		case <-over:
			return
		case <-ctx.Done():
		}
		if cause != nil && context.Cause(ctx) != cause {
			return // a signal, which Main handles
		}
		select {
		case <-over:
		case <-time.After(grace):
			if cause == nil {
				cause = errors.New("ended by a signal, before anything was decided")
			}
			complain(w, cause)
			os.Exit(int(finding.OutOfLimit))
		}
	}()
	return func() { close(over) }
}
