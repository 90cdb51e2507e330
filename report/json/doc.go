// Package json writes results as JSON. The schemas are in package schema.
package json
