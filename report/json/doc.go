// Package json writes results as JSON, by the schemas in package schema.
package json
