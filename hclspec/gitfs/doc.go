// Package gitfs reads one version of a repository as an fs.FS: a revision (Open) from git's
// objects alone, or the files of a directory (WorkTree). Loading, checking and diffing are written
// once, over fs.FS, and treat both alike.
//
// Both guarantee:
//
//   - The root "." is the repository's top (Open) or the directory given (WorkTree). Nothing
//     outside of it is ever reached.
//   - A symbolic link is listed as fs.ModeSymlink and a submodule of a revision as
//     fs.ModeIrregular; neither is followed or opened (errNotContent).
//   - No file above maxBlob is read (errTooLarge).
//   - An object that git knows of but this clone lacks is errMissing, never fs.ErrNotExist. A
//     partial clone that reads as "no such file" would make every contract of the base look new.
//
// A revision is read by the git program, which never touches the index, the work tree, a hook, a
// replacement object or the network. A missing object is reported with the command that fetches it.
package gitfs
