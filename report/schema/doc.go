// Package schema has the JSON Schemas of what redline writes. A published schema never changes.
package schema
