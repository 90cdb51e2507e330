package github

import (
	"fmt"
	"strings"
	"time"
)

// An Answer is a refusal: GitHub has understood the request and not carried it out.
type Answer struct {
	Request string // the method and the path, without the host
	Status  int    // of HTTP; 200 where GraphQL refuses
	Message string // in the server's words, which may be a stranger's
	Tries   int    // how often the request was made, waits for rate limits aside
}

func (a Answer) Error() string { return fmt.Sprintf("%s: %d %s", a.Request, a.Status, a.Message) }

// Forbidden: the token may not do it (403), or is none (401).
type Forbidden struct{ Answer }

// NotFound: it does not exist, or the token may not know that it does (404, 410).
type NotFound struct{ Answer }

// Unprocessable: GitHub does not take these values (422), such as a line outside the diff.
type Unprocessable struct {
	Answer
	Reasons []string // as GitHub lists them; may be empty
}

func (u Unprocessable) Error() string {
	if len(u.Reasons) == 0 {
		return u.Answer.Error()
	}
	return u.Answer.Error() + ": " + strings.Join(u.Reasons, "; ")
}

// Refused: any other answer that is no success.
type Refused struct{ Answer }

// Unavailable: the server or the line failed every time. What was asked may have been
// done, and does no harm when it is done again.
type Unavailable struct {
	Request string
	Tries   int
	Cause   error
}

func (u Unavailable) Error() string {
	return fmt.Sprintf("%s: tried %d times: %v", u.Request, u.Tries, u.Cause)
}

func (u Unavailable) Unwrap() error { return u.Cause }

// Uncertain: the server or the line failed, and what was asked may have been done. Doing it again
// might do it twice, so the caller has to look first.
type Uncertain struct {
	Request string
	Cause   error
}

func (u Uncertain) Error() string {
	return fmt.Sprintf("%s: it is not known whether it was carried out: %v", u.Request, u.Cause)
}

func (u Uncertain) Unwrap() error { return u.Cause }

// RateLimited: GitHub wants a wait that is longer than what is left of MostWaiting. Nothing was done.
type RateLimited struct {
	Request string
	Message string
	Wait    time.Duration // what GitHub asks for
	Left    time.Duration // of MostWaiting
}

func (r RateLimited) Error() string {
	return fmt.Sprintf("%s: GitHub's rate limit is reached (%s); it asks to wait %s, and %s of the %s that are waited in all are left",
		r.Request, r.Message, r.Wait, r.Left, MostWaiting)
}

// TooLong: GitHub would not take a text of this length, so it was not sent.
type TooLong struct {
	What          string
	Length, Limit int // in characters
}

func (t TooLong) Error() string {
	return fmt.Sprintf("%s has %d characters, and GitHub takes %d", t.What, t.Length, t.Limit)
}
