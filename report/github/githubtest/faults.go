package githubtest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// A Fault is a failure of one request.
type Fault uint8

const (
	None            Fault = iota
	BadGateway            // 502, and nothing was carried out
	BadGatewayAfter       // 502, and it was carried out
	Dropped               // the connection breaks, and nothing was carried out
	DroppedAfter          // the connection breaks, and it was carried out
	HalfAnswer            // carried out, and the connection breaks in the middle of the answer
	NotJSON               // carried out, and something in between answers 200 with a page of HTML
	Slow                  // carried out, a little later
	StaleRows             // a list is as it was lag ago; anything else is carried out
	TwiceRows             // a list has rows twice, those of lag ago and those of now; anything else is carried out
	SecondaryLimit        // 403 with Retry-After
	SecondaryBare         // 403, and only the words tell that it is a rate limit
	PrimaryLimit          // 403 (GraphQL: 200) with no request left, and when there will be
	TooMany               // 429 with Retry-After
	TooManyBare           // 429, without a word on how long
	Hang                  // there is no answer for as long as the client waits
	faults
)

func (f Fault) String() string {
	if f >= faults {
		return fmt.Sprintf("fault %d", f)
	}
	return [...]string{"none", "502 before", "502 after", "dropped before", "dropped after", "half an answer", "not JSON", "slow", "stale rows", "rows twice",
		"secondary limit", "secondary limit, bare", "primary limit", "429", "429, bare", "hang"}[f]
}

// Carried reports whether a request is carried out in spite of this fault.
func (f Fault) Carried() bool {
	switch f {
	case None, BadGatewayAfter, DroppedAfter, HalfAnswer, NotJSON, Slow, StaleRows, TwiceRows:
		return true
	}
	return false
}

// A Schedule maps the nth request, from 0, to its fault.
type Schedule func(n int) Fault

// Random returns a schedule in which the given percentage of requests meets a fault, each kind with the same probability, except that none
// hangs. The same seed gives the same schedule.
func Random(seed uint64, percent int) Schedule {
	return func(n int) Fault {
		draw := rand.New(rand.NewPCG(seed, uint64(n)))
		if draw.IntN(100) >= percent {
			return None
		}
		return Fault(1 + draw.IntN(int(Hang)-1))
	}
}

// FlakyLists returns a schedule in which one percentage of lists is stale or repeats rows, and another of the other requests meets any other fault.
func FlakyLists(seed uint64, rows, others int) Schedule {
	other := Random(seed, others)
	return func(n int) Fault {
		draw := rand.New(rand.NewPCG(seed, ^uint64(n)))
		if draw.IntN(100) >= rows {
			return other(n)
		}
		return StaleRows + Fault(draw.IntN(2))
	}
}

// Next has the next requests meet these faults, in this order, whatever the schedule says.
func (h *Hub) Next(faults ...Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next = append(h.next, faults...)
}

func (h *Hub) fault() Fault {
	if len(h.next) > 0 {
		f := h.next[0]
		h.next = h.next[1:]
		return f
	}
	if h.Faults == nil {
		return None
	}
	return h.Faults(len(h.log))
}

// instead returns the response of a fault that prevents a request from being carried out; false where there is
// to be none.
func (h *Hub) instead(f Fault, graphql bool) (reply, bool) {
	switch f {
	case BadGateway:
		return badGateway, true
	case SecondaryLimit:
		return secondary.with("Retry-After", "30"), true
	case SecondaryBare:
		return secondary, true
	case PrimaryLimit:
		reset := strconv.FormatInt(h.now.Add(45*time.Second).Unix(), 10)
		limit := primary
		if graphql {
			limit = reply{status: http.StatusOK, body: object{"errors": []object{graphqlLimit}}}
		}
		return limit.with("X-RateLimit-Remaining", "0").with("X-RateLimit-Reset", reset), true
	case TooMany:
		return reply{status: http.StatusTooManyRequests, body: object{"message": "Too many requests"}}.with("Retry-After", "5"), true
	case TooManyBare:
		return reply{status: http.StatusTooManyRequests, body: object{"message": "Too many requests"}}, true
	}
	return reply{}, false
}

// graphqlLimit is the error of a GraphQL rate limit, sent with status 200 (yanyongyu/githubkit issue 271).
var graphqlLimit = object{"type": "RATE_LIMIT", "code": "graphql_rate_limit", "message": "API rate limit already exceeded for installation."}

var (
	badGateway = reply{status: http.StatusBadGateway, body: page("<html><h1>502 Bad Gateway</h1></html>")}
	notJSON    = reply{status: http.StatusOK, body: page("<html><h1>Sign in to the network</h1></html>")}
)

// A page is an answer that is no JSON.
type page string
