// Package conform replays a log of what really happened on a contract. This is token replay (van der Aalst 2016, Process Mining: Data Science
// in Action, 2nd ed., section 8.2) without its fitness. Token replay forces a step that is not enabled, and counts the tokens that it lacks.
// Here the log deviates at the first line that no run of the contract explains, since a reviewer asks what went wrong, not how much.
//
// # A log
//
// A log is text in UTF-8: CSV with a header (RFC 4180; also with semicolons or tabs between the columns), or JSON lines if the first
// character is {. Each line is something that happened, in order of time. These columns, or keys, are read:
//
//	event        the name of an event; or party.transition, of a transition that no event mentions
//	transition   the canonical name of a composed transition, see below
//	step         lines next to each other with the same step happened at the same moment; only if firing = all
//	time         when it happened; copied into the answer
//	party        a participant: a party's name, that of its kind, of the party that plays the role, or its title
//
// A line has an event, a transition, or both. Other columns are ignored, and the answer lists them. In
// JSON lines "transitions" is a list of the parts of one composed transition, and "parties" of the participants, so that the steps
// of runs in check --format json are lines of a log as they are: jq -c '.contracts[].requirements[].trace.prefix[]'.
// Null and empty text are the same as no value.
//
// The canonical name of a composed transition has the names of the parties' transitions that it is composed of, as the text has
// them, in order of the net, with + between them: purchaser.PurchaserRFG_T+seller.SellerRFG_T. If no party takes part, it
// is the name of the event: tick. A name can mean several transitions: those of two events composed of the same parts, or the variants of
// a transition that tests counters. For an event that happens with each of several instances, "order" means any of order[0], order[1].
//
// # A run
//
// A run that a page shares is such a log, as JSON lines of {"event":"RFG","transition":"purchaser.PurchaserRFG_T+seller.SellerRFG_T"}, with
// "step" if firing = all. As a link it is #run= and that text in base64url without padding (RFC 4648, section 5), after any address.
//
// # What conforms
//
// A name can mean several transitions, and one event can lead from one marking to several. So after a log there is a set of
// possible markings: the ends of all runs with the events of the log. The log conforms as long as the set is not empty. The set is
// exact, up to a limit beyond which there is no answer.
//
// If firing = all, a step is a maximal set of transitions that do not compete for a token. The column step determines the steps. Without it,
// any division of the log into steps is possible. A log that ends within a step deviates at its end.
//
// Time: a tick is a line like any other, with the event tick. Where no clock runs it changes nothing, as in a scenario: time may always pass where
// nothing waits for it. The column time has no effect unless the caller gives the length of a tick. The command refuses a log that has ticks and dates,
// unless firing = all, where dates can't be used, and it says so.
// Then each clock has its own ticks, at whole periods from the moment that started it, by the calendar. All ticks that are due by the time of a
// line happen before it, those of one moment together. So a deadline runs from its start, and unrelated lines do not change it. In the net all
// clocks tick at once, so such a log need not be a run of the net: clocks that were started at different moments of one tick expire at
// different moments. What recurs, and the deadlines of its occurrences, is counted from the first. A clock that stood still ends later by as long.
// The marking still determines what the parties can do and what they owe. Requirements are about runs, so they are judged
// only if all running clocks ticked together. Clocks that run initially run from the given start, or from the first line that has a time.
//
// A breach is no deviation: the contract itself says that an obligation can be breached, and what follows. The answer lists the breaches, and
// the line that brought each about. The marking determines who owes what (owed, in_force, given, held). If several markings are possible, a norm
// that binds in some of them only is listed as possible.
package conform
