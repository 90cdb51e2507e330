// Package lsp tells editors about contracts while they are written: a server of the Language Server
// Protocol, version 3.17, for `redline lsp`.
//
//	wire.go        messages in and out, within limits
//	protocol.go    the shapes of messages that we use
//	session.go     who asked what; no panic and no malformed message ends a session
//	folder.go      URIs, and the files of the workspace with the editor's unsaved texts laid over them
//	edition.go     one contract as it is in the editor now: read once, indexed once
//	watch.go       after a change: read at once, check after a pause, unless the next change comes first
//	mentions.go    what each name in the text means
//	spot.go        where in a block, an attribute and a value the cursor stands
//
// and one file for each thing an editor can ask: hover, definition, complete, symbols, layout.
//
// The wire is github.com/sourcegraph/jsonrpc2: small, tagged, maintained, with nothing behind it
// but encoding/json, and its stream is an interface, so that limits are ours to set. The shapes are
// written here, from the specification: of the libraries that have all of them, go.lsp.dev/protocol
// has had no release since 2022 and does not compile beside its own jsonrpc2 of today.
//
// Nothing outside of the workspace's folders is read, and nothing is ever written: formatting is an
// edit that the editor makes. The network is never used.
package lsp
