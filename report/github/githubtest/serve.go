package githubtest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any

// A reply is what a request is answered with.
type reply struct {
	status int
	body   any // JSON, or a page, or nil
	header map[string]string
}

func (r reply) with(name, value string) reply {
	r.header = maps.Clone(r.header)
	if r.header == nil {
		r.header = map[string]string{}
	}
	r.header[http.CanonicalHeaderKey(name)] = value
	return r
}

// fail returns an error response of GitHub.
func fail(status int, message string, errors ...any) reply {
	body := object{"message": message, "documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(status)}
	if len(errors) > 0 {
		body["errors"] = errors
	}
	return reply{status: status, body: body}
}

var notFound = fail(http.StatusNotFound, "Not Found")

// A call is a request as an operation sees it.
type call struct {
	method, path string // below the API's address
	query        url.Values
	body         []byte
	by           Token
	api          string // the API's address
	args         []string
	fault        Fault
	rows, before []object // of the list, and of the same list at another moment
}

// number returns the nth argument of the path as a number.
func (c *call) number(n int) int64 {
	id, _ := strconv.ParseInt(c.args[n], 10, 64) // digits; what is too large finds nothing
	return id
}

// read reads the body; what doesn't fit was refused before, as far as there is a description.
func (c *call) read(into any) bool { return json.Unmarshal(c.body, into) == nil }

const mostBody = 32 << 20

func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, mostBody))
	if err != nil {
		return // the client is gone
	}
	h.mu.Lock()
	before := func() {}
	if len(h.meanwhile) > 0 {
		if h.meanwhile[0] != nil {
			before = h.meanwhile[0]
		}
		h.meanwhile = h.meanwhile[1:]
	}
	h.mu.Unlock()
	before()
	answer, fault := h.meet(r, body)
	send(w, r, answer, fault)
}

// meet carries a request out, or not, and keeps it.
func (h *Hub) meet(r *http.Request, body []byte) (reply, Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(tick)
	fault := h.fault()
	c, by := h.call(r, body), h.holder(r)
	met := Request{method: c.method, Path: c.path, query: r.URL.RawQuery, authorization: r.Header.Get("Authorization"), Body: string(body), Fault: fault}
	var answer reply
	if by != nil {
		met.login = by.Login
	}
	if fault.Carried() {
		c.fault = fault
		answer, met.problem = h.carryOut(c, by, r)
		met.Status = answer.status
	} else {
		answer, _ = h.instead(fault, c.path == "/graphql")
	}
	h.log = append(h.log, met)
	switch fault {
	case BadGatewayAfter:
		answer = badGateway
	case NotJSON:
		answer = notJSON
	}
	return h.headed(answer, by), fault
}

// headed adds what every answer carries; what a fault says of rates counts.
func (h *Hub) headed(a reply, by *holder) reply {
	header := http.Header{}
	if by != nil {
		h.rates(by, header)
	}
	header.Set("Date", h.now.Format(http.TimeFormat))
	for name := range header {
		if _, ok := a.header[name]; !ok {
			a = a.with(name, header.Get(name))
		}
	}
	return a
}

func (h *Hub) call(r *http.Request, body []byte) *call {
	c := &call{method: r.Method, path: r.URL.EscapedPath(), query: r.URL.Query(), body: body, api: "http://" + r.Host}
	if rest, ok := strings.CutPrefix(c.path, "/api/v3/"); ok { // an Enterprise server's
		c.path, c.api = "/"+rest, c.api+"/api/v3"
	} else if c.path == "/api/graphql" {
		c.path = "/graphql"
	}
	return c
}

// carryOut does what is asked, in the order in which GitHub finds reasons not to.
func (h *Hub) carryOut(c *call, by *holder, r *http.Request) (answer reply, problem string) {
	if by == nil {
		return fail(http.StatusUnauthorized, "Bad credentials"), ""
	}
	c.by = by.Token
	if c.path == "/graphql" {
		if answer, over := h.count(by, false); over {
			return answer, ""
		}
		return h.graphql(c)
	}
	if h.described != nil {
		if problem := h.described.objects(c, r); problem != "" {
			return fail(http.StatusUnprocessableEntity, "Invalid request.\n\n"+problem), problem
		}
	}
	op, args, ok := h.find(c)
	if !ok {
		return reply{status: http.StatusNotImplemented, body: object{"message": "this fake does not know the operation"}}, "this fake does not know the operation"
	}
	if answer, over := h.count(by, op.creates); over {
		return answer, ""
	}
	if c.args = args; !h.may(c.by, op.need) {
		return forbidden, ""
	}
	if c.method != http.MethodGet {
		h.remember()
	}
	answer = h.lagging(c, op)
	if h.described != nil && answer.status < 300 {
		problem = h.described.misanswered(c, r, answer)
	}
	return answer, problem
}

// find finds the operation, and what its pattern leaves open.
func (h *Hub) find(c *call) (operation, []string, bool) {
	path := strings.TrimPrefix(c.path, "/")
	if rest, ok := strings.CutPrefix(strings.ToLower(path), "repos/"+strings.ToLower(h.Repository)); ok {
		path = "repo" + path[len(path)-len(rest):]
	}
	at := strings.Split(path, "/")
	for _, op := range operations() {
		if args, ok := op.matches(c.method, at); ok {
			return op, args, true
		}
	}
	return operation{}, nil, false
}

// An operation of the REST API.
type operation struct {
	method, pattern string // # is a number, * is anything
	need            string // as Hub.may reads it
	creates         bool   // content, in the sense of the secondary rate limit
	do              func(*Hub, *call) reply
}

func (o operation) matches(method string, at []string) (args []string, ok bool) {
	want := strings.Split(o.pattern, "/")
	if method != o.method || len(want) != len(at) {
		return nil, false
	}
	for i, part := range want {
		_, err := strconv.ParseUint(at[i], 10, 64)
		switch {
		case part == "*" || (part == "#" && err == nil):
			arg, err := url.PathUnescape(at[i])
			if err != nil {
				return nil, false
			}
			args = append(args, arg)
		case part != at[i]:
			return nil, false
		}
	}
	return args, true
}

// list returns a page of a list, with links to the others (docs.github.com, "Using pagination in the
// REST API").
func (c *call) list(all []object, wrap func([]object) any) reply {
	per, page := c.count("per_page", 30, 100), c.count("page", 1, 1<<30)
	if c.rows = all; c.before != nil { // the rows of another moment come as well
		all = slices.Concat(c.before, all)
	}
	last := max(1, (len(all)+per-1)/per)
	some := all[min(len(all), (page-1)*per):min(len(all), page*per)]
	var links []string
	link := func(rel string, to int) {
		query := maps.Clone(c.query)
		query.Set("page", strconv.Itoa(to))
		links = append(links, fmt.Sprintf(`<%s%s?%s>; rel="%s"`, c.api, c.path, query.Encode(), rel))
	}
	if page > 1 {
		link("prev", page-1)
		link("first", 1)
	}
	if page < last {
		link("next", page+1)
		link("last", last)
	}
	if some == nil {
		some = []object{}
	}
	r := reply{status: http.StatusOK, body: wrap(slices.Clone(some))}
	if len(links) == 0 {
		return r
	}
	return r.with("Link", strings.Join(links, ", "))
}

func plain(some []object) any { return some }

func (c *call) count(name string, otherwise, most int) int {
	n, err := strconv.Atoi(c.query.Get(name))
	if err != nil || n < 1 {
		return otherwise
	}
	return min(n, most)
}

// send sends the answer, as far as the fault lets it.
func send(w http.ResponseWriter, r *http.Request, a reply, f Fault) {
	switch f {
	case Dropped, DroppedAfter:
		panic(http.ErrAbortHandler) // net/http breaks the connection
	case Hang:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case Slow:
		time.Sleep(2 * time.Millisecond)
	}
	var text []byte
	switch body := a.body.(type) {
	case nil:
	case page:
		text = []byte(body)
		w.Header().Set("Content-Type", "text/html")
	default:
		text, _ = json.Marshal(body) // what is made here can be
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	if f == HalfAnswer {
		w.Header().Set("Content-Length", strconv.Itoa(len(text)+1))
		text = text[:len(text)/2]
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(text) // to a client that is gone
	if f == HalfAnswer {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}
