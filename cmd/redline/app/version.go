package app

import "runtime/debug"

// released is the version of a released binary; .github/release/build sets it. The Go command would record a version only together with the
// state of the git clone, and then the bytes would depend on the clone they are built in.
var released string

// Version returns the release's version, or else the module's as the Go command recorded it in the binary.
func Version() string {
	if released != "" {
		return released
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
