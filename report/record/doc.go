// Package record defines the statement of one verified draft: its fields, its only encoding, and signatures.
//
// A statement follows in-toto's form. There is one way to write it, and reading accepts nothing else, so equal statements are equal bytes. A
// signature covers these bytes. README.md describes each field.
//
// Everyone with push access can write records, so everything read is treated as hostile: sizes are bounded, and what redline would not have
// written is refused. Package store keeps records in git.
package record
