package github

import (
	"fmt"
	"strings"
	"time"
)

// A refusal is the error that GitHub has understood the request and not carried it out.
type refusal struct {
	request string // the method and the path, without the host
	status  int    // of HTTP; 200 if GraphQL refuses
	Message string // from the server, and foreign
	tries   int    // how often the request was made, without waits for rate limits
}

func (a refusal) Error() string { return fmt.Sprintf("%s: %d %s", a.request, a.status, a.Message) }

// Forbidden is the error that the token lacks the permission (403) or is invalid (401).
type Forbidden struct{ refusal }

// NotFound is the error that something does not exist, or that the token may not know it (404, 410).
type NotFound struct{ refusal }

// Unprocessable is the error that GitHub does not accept these values (422), such as a line outside the diff.
type Unprocessable struct {
	refusal
	Reasons []string // as GitHub lists them; may be empty
}

func (u Unprocessable) Error() string {
	if len(u.Reasons) == 0 {
		return u.refusal.Error()
	}
	return u.refusal.Error() + ": " + strings.Join(u.Reasons, "; ")
}

// Refused is the error of any other refusal.
type Refused struct{ refusal }

// Unavailable is the error that the server or the connection failed in every try. The request may have been
// carried out, and is safe to repeat.
type Unavailable struct {
	request string
	Tries   int
	cause   error
}

func (u Unavailable) Error() string {
	return fmt.Sprintf("%s: tried %d times: %v", u.request, u.Tries, u.cause)
}

func (u Unavailable) Unwrap() error { return u.cause }

// Uncertain is the error that the server or the connection failed and the request may have been carried out. Repeating it
// might carry it out twice, so the caller has to look first.
type Uncertain struct {
	request string
	cause   error
}

func (u Uncertain) Error() string {
	return fmt.Sprintf("%s: it is not known whether it was carried out: %v", u.request, u.cause)
}

func (u Uncertain) Unwrap() error { return u.cause }

// RateLimited is the error that GitHub asks for a longer wait than is left of MostWaiting. Nothing was carried out.
type RateLimited struct {
	request string
	message string
	Wait    time.Duration // what GitHub asks for
	Left    time.Duration // of MostWaiting
}

func (r RateLimited) Error() string {
	return fmt.Sprintf("%s: GitHub's rate limit is reached (%s); it asks to wait %s, and %s of the %s that are waited in all are left",
		r.request, r.message, r.Wait, r.Left, MostWaiting)
}

// TooLong is the error for a text that GitHub would not accept. It was not sent.
type TooLong struct {
	what          string
	Length, Limit int // in characters
}

func (t TooLong) Error() string {
	return fmt.Sprintf("%s has %d characters, and GitHub takes %d", t.what, t.Length, t.Limit)
}
