package report

import _ "embed"

// CheckSchema is the JSON Schema (draft 2020-12) of what JSON writes.
//
//go:embed schema/check-v1.1.schema.json
var CheckSchema []byte

// ReviewSchema is the JSON Schema of what JSONReview writes; it refers to CheckSchema by its $id.
//
//go:embed schema/review-v1.1.schema.json
var ReviewSchema []byte

// CompareSchema is the JSON Schema of what JSONNegotiation writes; it refers to the others by their $id.
//
//go:embed schema/compare-v1.1.schema.json
var CompareSchema []byte

// ConfigSchema is the JSON Schema of what JSONSettings writes; it refers to CheckSchema by its $id.
//
//go:embed schema/config-v1.1.schema.json
var ConfigSchema []byte

// HistorySchema is the JSON Schema of what history.JSON writes; it refers to CheckSchema by its $id.
//
//go:embed schema/history-v1.1.schema.json
var HistorySchema []byte

// ReplaySchema is the JSON Schema of what JSONReplay writes; it refers to CheckSchema by its $id.
//
//go:embed schema/replay-v1.1.schema.json
var ReplaySchema []byte
