// Package page writes the results of redline as one HTML file: the verdicts, pictures of every party, of the composed net and of the state
// model, a player that steps through a run in all of them at once, and a simulator that fires steps by hand.
//
// The file loads nothing. It contains its style and scripts. Its content security policy allows these two by their SHA-256 and nothing
// else, so text from a contract stays text. Package draw computes the positions in the pictures (draw.SVGFragment). Scripts only toggle
// classes, and fire transitions by the definitions in engine/petri (js/net.js); a test compares the two.
//
// The package decides nothing. Its sentences come from package words (words.Entry), as in text and Markdown.
package page
