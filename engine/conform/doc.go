// Package conform holds a log of what really happened to a contract: token replay (van der Aalst 2016, Process Mining: Data
// Science in Action, 2nd ed., section 8.2), but for the fitness it computes. There, a step that can't be taken is
// forced, and the tokens it lacks are counted. Here, the log deviates at the first line that no run of the contract explains, for a reviewer
// asks what went wrong, and not how much.
//
// # A log
//
// is text in UTF-8: CSV with a header (RFC 4180; also with semicolons or tabs between the columns), or JSON lines where the first
// character is {. Each line is something that happened, in the order in which it did. These columns, or keys, are read:
//
//	event        the name of an event; or party.transition, of a transition that no event mentions
//	transition   the canonical name of a composed transition, see below
//	step         lines next to each other with the same step happened at the same moment; only where firing = all
//	time         when it happened; carried into the answer
//	party        who did it, one of those that take part: a party's name, that of its kind, of who plays the role, or its title
//
// A line has an event or a transition; it may have both. What else there is, is ignored, and the answer says so. In
// JSON lines "transitions" is a list of the parts of one composed transition, and "parties" of those who take part, so that the steps
// of runs in check --format json are lines of a log as they are: jq -c '.contracts[].requirements[].trace.prefix[]'.
// Null, and empty text, is the same as nothing.
//
// The canonical name of a composed transition is the names of the parties' transitions it was put together from, as the text has
// them, in order of the net, with + between them: purchaser.PurchaserRFG_T+seller.SellerRFG_T. Where nobody has a part in it, it
// is that of its event: tick. A name may stand for several: two events put together from the same transitions, a
// transition that tests counters. Of an event that happens with each of several, "order" is any of order[0], order[1].
//
// # A run
//
// that a page shares is such a log, as JSON lines of {"event":"RFG","transition":"purchaser.PurchaserRFG_T+seller.SellerRFG_T"}, with
// "step" where firing = all. As a link it is #run= and that text in base64url without padding (RFC 4648, section 5), after any address.
//
// # What conforms
//
// A name can stand for several transitions, and the same event can lead from one marking to several. So a log leaves a set of
// markings possible: those that some run ends in whose events are the log's. It conforms as long as there is one. The set is kept
// exactly, up to a limit, beyond which there is no answer.
//
// Where firing = all, a step is a maximal set of transitions that don't compete for a token. With the column step each step is as the log
// says; without, any way of cutting the log into steps will do. A log that ends within a step deviates at its end.
//
// Time: a tick is a line like any other, with the event tick. Nothing is taken from the column time unless whoever asks says how long a tick is.
// Then each clock has its own ticks, at whole periods from the moment that started it, by the calendar; all that are due by the time of a line happen
// before it, those of one moment together. So a deadline runs from what started it, and no other line makes a difference to it. In the net all clocks tick at once, so such
// a log need not be a run of the net: clocks that were started at different moments of one tick run out at different moments. What the parties can do, and what they
// owe, is read off the marking all the same; what is said of requirements, of runs, is said only where all running clocks ticked together. Clocks that run from the
// start run from the start that is given, or from the first line that has a time.
//
// A breach is no deviation: that an obligation can be breached, and what follows, is the contract's own word. The answer says who is in breach of what,
// and since which line. Who owes what is what stands so in the marking (owed, in_force, given, held); where the log leaves several
// markings possible, what stands so in some only is said to be possible.
package conform
