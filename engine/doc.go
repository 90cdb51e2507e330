// Package engine composes contracts, checks their requirements and reviews amendments.
package engine
