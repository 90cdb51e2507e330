// Package page makes one HTML file of what redline found: the verdicts, pictures of every party, of the composed net and of the state
// model, a player that steps a run through all of them at once, and a simulator to fire what can happen by hand.
//
// The file fetches nothing: style and script are in it, its content security policy names both by their SHA-256 and allows nothing else, so
// whatever a contract says stays text. Positions in the pictures are computed by package draw (draw.SVGFragment); scripts only toggle classes, and
// fire by the definitions in engine/petri (js/net.js), against which a test holds them.
//
// It decides nothing. Its sentences are those of package words (words.Entry), which text and Markdown use, too.
package page
