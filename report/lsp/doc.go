// Package lsp is a server of the Language Server Protocol, version 3.17, for editors in which contracts are written: `redline lsp`.
//
// The editor's unsaved texts lie over the files of the workspace. After a change the contract is read at once and its mistakes are
// published; after a pause it is checked, unless the next change comes first. An edition is one contract as it is in the editor now, read
// once and indexed once, and every request is answered from an edition.
//
// Requests need two things. What does each name in the text mean? The loader's index answers that, also for ill-formed text. Where in a
// block, an attribute and a value is the cursor? Tokens alone answer that, because text that is being written rarely parses. Each request
// (hover, definition, completion, symbols, formatting) is then a short function.
//
// The wire is github.com/sourcegraph/jsonrpc2: small, tagged, maintained, with nothing behind it but encoding/json, and its stream is an
// interface, so that limits are ours to set. The types of messages are written here, from the specification: of the libraries that have all
// of them, go.lsp.dev/protocol has had no release since 2022 and does not compile beside its own jsonrpc2 of today.
//
// No panic and no malformed message ends a session. Nothing outside of the workspace's folders is read, and nothing is ever written:
// formatting is an edit that the editor makes. The network is never used.
package lsp
