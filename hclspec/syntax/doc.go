// Package syntax reads the files of a contract as far as their grammar goes: to blocks of known types, with known attributes, and to
// references split into names.
//
// It works in steps, each on the result of the one before. Files are read within limits; links are not followed. A loop scans their characters
// and tokens, because the parser recurses and joins texts in quadratic time: text that would make it recurse too deep or work too long is
// refused before it starts. HCL parses the rest. A Grammar compares blocks with the table of package construct.
//
// A Resolver declares names and reads references to them. It knows namespaces and not their content, so parties, events and variables are all
// declared alike. It also records which declaration each mention means, for editors.
package syntax
