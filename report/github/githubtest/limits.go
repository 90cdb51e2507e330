package githubtest

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// tick is the time that a request takes.
const tick = 50 * time.Millisecond

// count counts a request, and rejects it above the rate limit (docs.github.com, "Rate limits for the
// REST API").
func (h *Hub) count(by *holder, creates bool) (reply, bool) {
	if by.since.IsZero() || h.now.Sub(by.since) >= time.Hour {
		by.used, by.since = 0, h.now
	}
	if by.used >= h.RequestsAnHour {
		return primary, true
	}
	by.used++
	if !creates {
		return reply{}, false
	}
	by.created = slices.DeleteFunc(by.created, func(t time.Time) bool { return h.now.Sub(t) >= time.Minute })
	if len(by.created) >= h.contentAMinute {
		return secondary.with("Retry-After", "60"), true
	}
	by.created = append(by.created, h.now)
	return reply{}, false
}

var (
	primary   = fail(http.StatusForbidden, "API rate limit exceeded for installation.")
	secondary = fail(http.StatusForbidden, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
)

// rates returns the rate limit headers of a response.
func (h *Hub) rates(by *holder, header http.Header) {
	header.Set("X-RateLimit-Limit", strconv.Itoa(h.RequestsAnHour))
	header.Set("X-RateLimit-Remaining", strconv.Itoa(h.RequestsAnHour-by.used))
	header.Set("X-RateLimit-Used", strconv.Itoa(by.used))
	header.Set("X-RateLimit-Reset", strconv.FormatInt(by.since.Add(time.Hour).Unix(), 10))
	header.Set("X-RateLimit-Resource", "core")
}
