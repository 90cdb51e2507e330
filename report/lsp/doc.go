// Package lsp is a server of the Language Server Protocol, version 3.17, for editors in which contracts are written: `redline lsp`.
//
// The editor's unsaved texts replace the files of the workspace. After a change the server reads the contract at once and publishes its
// mistakes. After a pause it checks the contract, unless there is another change first. An edition is one contract as the editor has it now.
// It is read once and indexed once, and every request is answered from an edition.
//
// Requests ask two things. What does each name in the text mean? The loader's index has the answer, also for ill-formed text. In which block,
// attribute and value is the cursor? Tokens alone have the answer, since unfinished text rarely parses. Each request (hover, definition,
// completion, symbols, formatting) is then a short function.
//
// The connection is github.com/sourcegraph/jsonrpc2, which is small, tagged and maintained, and needs only encoding/json. Its stream is an
// interface, so package lsp sets the limits. The types of messages are written here, from the specification. Of the libraries that have all of
// them, go.lsp.dev/protocol has had no release since 2022 and does not compile with its own current jsonrpc2.
//
// No panic and no malformed message ends a session. The server reads nothing outside of the workspace's folders and writes no file:
// formatting is an edit that the editor makes. It does not use the network.
package lsp
