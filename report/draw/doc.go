// Package draw draws parties, composed nets, states, runs and differences, as SVG, DOT and Mermaid.
package draw
