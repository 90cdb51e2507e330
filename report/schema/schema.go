package schema

import _ "embed"

// CheckSchema is the JSON Schema (draft 2020-12) of what JSON writes.
//
//go:embed check-v1.1.schema.json
var CheckSchema []byte

// ReviewSchema is the JSON Schema of what JSONReview writes; it refers to CheckSchema by its $id.
//
//go:embed review-v1.1.schema.json
var ReviewSchema []byte

// CompareSchema is the JSON Schema of what JSONNegotiation writes; it refers to the others by their $id.
//
//go:embed compare-v1.1.schema.json
var CompareSchema []byte

// ConfigSchema is the JSON Schema of what JSONSettings writes; it refers to CheckSchema by its $id.
//
//go:embed config-v1.1.schema.json
var ConfigSchema []byte

// HistorySchema is the JSON Schema of what history.JSON writes; it refers to CheckSchema by its $id.
//
//go:embed history-v1.1.schema.json
var HistorySchema []byte

// ReplaySchema is the JSON Schema of what JSONReplay writes; it refers to CheckSchema by its $id.
//
//go:embed replay-v1.1.schema.json
var ReplaySchema []byte
