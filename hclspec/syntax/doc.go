// Package syntax reads the files of a contract as far as their grammar goes: to blocks of known types, with known attributes, and to
// references taken apart into names.
//
// It goes in steps, and each works on what the one before let pass. Files are read within limits, following no link. Their
// characters and tokens are scanned by a loop, because the parser recurses and joins texts in quadratic time: whatever would make it recurse
// too deep or work too long is refused before it starts. HCL parses what is left. A Grammar compares blocks with the table of package
// construct.
//
// A Resolver declares names and reads references to them. It knows namespaces and not what is in them, so parties, events and variables are all
// declared alike. It also keeps which mention means which declaration, for editors.
package syntax
