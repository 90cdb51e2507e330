// Package gitfs reads one version of a repository as an fs.FS: a revision (Open) from git's
// objects alone, or the files in hand (WorkTree). Loading, checking and diffing are written once,
// over fs.FS, and cannot tell the two apart.
//
// What both promise:
//
//   - The root "." is the repository's top (Open) or the directory given (WorkTree), and nothing
//     outside is ever reached.
//   - A symbolic link is listed as fs.ModeSymlink and a submodule of a revision as
//     fs.ModeIrregular; neither is followed or opened (ErrNotContent).
//   - No file above MaxBlob is read (ErrTooLarge).
//   - An object that git knows of but this clone lacks is ErrMissing, never fs.ErrNotExist. A
//     partial clone that reads as "no such file" would make every contract of the base look new.
//
// A revision is read by the git program, and that program never touches the index, the work
// tree, a hook, a replacement object or the network: what is missing is reported with the command
// that fetches it.
package gitfs
