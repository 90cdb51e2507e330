package githubtest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/examples/corpus"
	"github.com/redlinehq/redline/report/github/githubtest"
)

const (
	pullPath = "/repos/acme/deals/pulls/7"
	talkPath = "/repos/acme/deals/issues/7/comments"
	patch    = "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+C\n d\n@@ -20,2 +21,3 @@ party\n x\n+y\n z\n\\ No newline at end of file"
)

// hub returns a Hub without a server. If described is set, the test is skipped without GitHub's description.
func hub(t *testing.T, described bool) *githubtest.Hub {
	t.Helper()
	file := ""
	if described {
		file = corpus.Need(t, "github/openapi-subset.json")
	}
	h, err := githubtest.New("acme/deals", file)
	if err != nil {
		t.Fatal(err)
	}
	h.Allow("bot", githubtest.Job("pull-requests: write", "contents: write", "checks: write", "statuses: write"))
	h.Allow("reader", githubtest.Job("contents: read"))
	h.Allow("alice", githubtest.Person("alice"))
	h.Open(githubtest.Pull{Number: 7, Head: githubtest.Side{SHA: "aa", Ref: "amend", Repository: "eve/deals"}, Files: []githubtest.File{{Path: "a", Patch: patch}, {Path: "large"}}})
	return h
}

// ask makes a request in this process and returns the response; nil if there was none.
func ask(h http.Handler, token, method, path, body string) (answer *httptest.ResponseRecorder) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	defer func() {
		if recover() == http.ErrAbortHandler {
			answer = nil
		}
	}()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestDescribed(t *testing.T) {
	h := hub(t, true)
	for request, problem := range map[string]string{
		"GET " + pullPath:                                    "",
		"GET " + pullPath + "?x=1":                           "no such parameter",
		"GET " + pullPath + "/xyz":                           "no such operation",
		"PUT " + pullPath + "/comments":                      "no such operation",
		"GET /repos/acme/deals/issues/7/comments?per_page=x": "per_page",
		"POST " + talkPath + ` {"body": "x"}`:                "",
		"POST " + talkPath + ` {"body": "x", "y": 1}`:        `"y"`,
		"POST " + talkPath + ` {"body": 1}`:                  "body",
		"POST " + talkPath + ` {}`:                           "body",
		"POST " + pullPath + `/reviews {"event": "COMMENT", "body": "x", "comments": [{"path": "a", "body": "b", "subject_type": "file"}]}`: "subject_type",
		"POST " + pullPath + `/reviews {"event": "APPROVED"}`:                                                                               "event",
		"POST /repos/acme/deals/check-runs " + `{"name": "x", "head_sha": "aa", "status": "completed", "conclusion": "fine"}`:               "conclusion",
		"GET /repos/acme/deals/contents/a/b/c":                                                                                              "does not know the operation", // but it is one
		"GET /repos/acme/deals/git/ref/tags/v1":                                                                                             "does not know the operation",
		"GET /repos/acme/deals/compare/main...amend":                                                                                        "does not know the operation",
	} {
		before := len(h.Problems())
		at := strings.SplitN(request, " ", 3)
		answer := ask(h, "bot", at[0], at[1], strings.Join(at[2:], ""))
		found := strings.Join(h.Problems()[before:], "")
		if (found == "") != (problem == "") || !strings.Contains(found, problem) {
			t.Errorf("%s: problem %q, should be of %q", request, found, problem)
		}
		if (answer.Code >= 400) != (problem != "") {
			t.Errorf("%s: %d %s", request, answer.Code, answer.Body)
		}
	}
}

func TestWithoutDescription(t *testing.T) {
	h := hub(t, false)
	if answer := ask(h, "bot", "POST", talkPath, `{"body": "x", "y": 1}`); answer.Code != 201 || len(h.Problems()) > 0 {
		t.Errorf("%d, problems %v", answer.Code, h.Problems())
	}
	if _, err := githubtest.New("acme/deals", "hub_test.go"); err == nil {
		t.Error("this file is taken for a description")
	}
}

// Every operation answers as the description says, and refuses a token that has not the permission.
func TestOperations(t *testing.T) {
	h := hub(t, true)
	talk, at := h.Say(7, "alice", "x"), h.SayAt(7, "", "a", 2, "x")
	id := func(body string) string {
		var made struct{ ID json.Number }
		if err := json.Unmarshal([]byte(body), &made); err != nil {
			t.Fatal(err)
		}
		return made.ID.String()
	}
	check := id(ask(h, "bot", "POST", "/repos/acme/deals/check-runs", `{"name": "x", "head_sha": "aa"}`).Body.String())
	for _, test := range []struct {
		method, path, body string
		status, reader     int // with the permission, and with contents: read alone
	}{
		{"GET", "/repos/acme/deals", "", 200, 200},
		{"GET", "/repos/ACME/Deals/pulls/7", "", 200, 403},
		{"GET", "/repos/acme/deals/pulls", "", 200, 403},
		{"GET", pullPath + "/files", "", 200, 403},
		{"GET", "/repos/acme/deals/commits/aa/pulls", "", 200, 403},
		{"GET", talkPath, "", 200, 403},
		{"POST", talkPath, `{"body": "x"}`, 201, 403},
		{"GET", fmt.Sprint("/repos/acme/deals/issues/comments/", talk.ID), "", 200, 403},
		{"PATCH", fmt.Sprint("/repos/acme/deals/issues/comments/", talk.ID), `{"body": "y"}`, 200, 403},
		{"GET", pullPath + "/comments", "", 200, 403},
		{"POST", pullPath + "/comments", `{"body": "x", "commit_id": "aa", "path": "a", "line": 2, "side": "LEFT"}`, 201, 403},
		{"POST", pullPath + "/comments", `{"body": "x", "commit_id": "aa", "path": "large", "subject_type": "file"}`, 201, 403},
		{"POST", pullPath + "/comments", `{"body": "x", "commit_id": "aa", "path": "missing", "subject_type": "file"}`, 422, 403},
		{"GET", fmt.Sprint("/repos/acme/deals/pulls/comments/", at.ID), "", 200, 403},
		{"PATCH", fmt.Sprint("/repos/acme/deals/pulls/comments/", at.ID), `{"body": "y"}`, 200, 403},
		{"DELETE", fmt.Sprint("/repos/acme/deals/pulls/comments/", at.ID), "", 204, 403},
		{"POST", pullPath + "/reviews", `{"event": "COMMENT", "body": "x", "comments": [{"path": "a", "line": 3, "start_line": 1, "body": "b"}]}`, 200, 403},
		{"POST", pullPath + "/reviews", `{"event": "COMMENT"}`, 422, 403},
		{"GET", pullPath + "/reviews", "", 200, 403},
		{"GET", "/repos/acme/deals/check-runs/" + check, "", 200, 403},
		{"PATCH", "/repos/acme/deals/check-runs/" + check, `{"conclusion": "success", "output": {"summary": "s", "annotations": [{"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "notice", "message": "m"}]}}`, 200, 403},
		{"GET", "/repos/acme/deals/check-runs/" + check + "/annotations", "", 200, 403},
		{"GET", "/repos/acme/deals/commits/aa/check-runs?check_name=x", "", 200, 403},
		{"POST", "/repos/acme/deals/statuses/aa", `{"state": "success", "description": "d"}`, 201, 403},
		{"POST", "/repos/acme/deals/statuses/aa", `{"state": "success", "description": "` + strings.Repeat("d", 141) + `"}`, 422, 403},
		{"GET", "/repos/acme/deals/commits/aa/statuses", "", 200, 403},
		{"DELETE", fmt.Sprint("/repos/acme/deals/issues/comments/", talk.ID), "", 204, 403},
		{"DELETE", fmt.Sprint("/repos/acme/deals/issues/comments/", talk.ID), "", 404, 403},
		{"GET", "/repos/acme/deals/pulls/8", "", 404, 403},
		{"GET", "/user", "", 403, 403},
	} {
		h.Private = true
		if got := ask(h, "reader", test.method, test.path, test.body); got.Code != test.reader {
			t.Errorf("%s %s by a reader: %d %s", test.method, test.path, got.Code, got.Body)
		}
		h.Private = false
		if got := ask(h, "reader", test.method, test.path, test.body); test.method == "GET" && test.path != "/user" && got.Code == 403 {
			t.Errorf("%s %s of a public repository: %d", test.method, test.path, got.Code)
		}
		if got := ask(h, "bot", test.method, test.path, test.body); got.Code != test.status {
			t.Errorf("%s %s: %d %s", test.method, test.path, got.Code, got.Body)
		}
		if got := ask(h, "nobody", test.method, test.path, test.body); got.Code != 401 {
			t.Errorf("%s %s by nobody: %d", test.method, test.path, got.Code)
		}
	}
	if p := h.Problems(); len(p) > 0 {
		t.Errorf("problems: %v", p)
	}
	if got := ask(h, "alice", "POST", "/repos/acme/deals/check-runs", `{"name": "x", "head_sha": "aa"}`); got.Code != 403 {
		t.Errorf("a person makes a check run: %d", got.Code)
	}
	if got := ask(h, "alice", "GET", "/user", ""); got.Code != 200 || !strings.Contains(got.Body.String(), `"alice"`) {
		t.Errorf("a person asks who she is: %d %s", got.Code, got.Body)
	}
}

func TestPaging(t *testing.T) {
	h := hub(t, false)
	for i := range 70 {
		h.Say(7, "alice", fmt.Sprint(i))
	}
	for query, want := range map[string]struct {
		n    int
		rels []string
	}{
		"": {30, []string{"next", "last"}}, "?page=2": {30, []string{"prev", "first", "next", "last"}}, "?page=3": {10, []string{"prev", "first"}},
		"?per_page=1000": {70, nil}, "?per_page=7&page=10": {7, []string{"prev", "first"}}, "?page=99": {0, []string{"prev", "first"}},
	} {
		answer := ask(h, "bot", "GET", talkPath+query, "")
		var all []any
		if err := json.Unmarshal(answer.Body.Bytes(), &all); err != nil || len(all) != want.n {
			t.Errorf("%q: %d comments, %v", query, len(all), err)
		}
		link := answer.Header().Get("Link")
		if strings.Count(link, "rel=") != len(want.rels) || slices.ContainsFunc(want.rels, func(rel string) bool { return !strings.Contains(link, `rel="`+rel+`"`) }) {
			t.Errorf("%q: %s", query, link)
		}
	}
	if link := ask(h, "bot", "GET", talkPath+"?per_page=40", "").Header().Get("Link"); !strings.Contains(link, "<http://example.com"+talkPath+"?page=2&per_page=40>; rel=\"next\"") {
		t.Error(link)
	}
}

func TestPullsByHead(t *testing.T) {
	h := hub(t, false)
	h.Open(githubtest.Pull{Number: 8, State: "closed", Head: githubtest.Side{SHA: "bb", Ref: "amend", Repository: "eve/deals"}})
	h.Open(githubtest.Pull{Number: 9, Head: githubtest.Side{SHA: "cc", Ref: "amend", Repository: "mallory/deals"}})
	for query, want := range map[string]string{
		"?head=eve:amend": "7", "?head=EVE:amend&state=all": "8 7", "?head=eve:other": "", "?head=amend": "9 7", "": "9 7", "?state=closed": "8",
	} {
		var all []struct{ Number int }
		if err := json.Unmarshal(ask(h, "bot", "GET", "/repos/acme/deals/pulls"+query, "").Body.Bytes(), &all); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range all {
			got = append(got, fmt.Sprint(p.Number))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v", query, got)
		}
	}
}

func TestAnchors(t *testing.T) {
	for anchor, want := range map[string]string{
		`"path": "a", "line": 1`: "", `"path": "a", "line": 4`: "", `"path": "a", "line": 23`: "", `"path": "a", "line": 2, "side": "LEFT"`: "",
		`"path": "a", "line": 5`: "line must be part of the diff", `"path": "a", "line": 20`: "line must be part of the diff", `"path": "a", "line": 24`: "line must be part of the diff",
		`"path": "a", "line": 22, "side": "LEFT"`: "line must be part of the diff", `"path": "a", "line": 0`: "line must be part of the diff", `"path": "b", "line": 1`: "path is invalid",
		`"path": "large", "line": 1`: "line must be part of the diff", `"path": "a", "line": 4, "start_line": 1`: "", `"path": "a", "line": 21, "start_line": 4`: "same hunk",
		`"path": "a", "line": 3, "start_line": 3`: "precede", `"path": "a", "line": 3, "start_line": 4`: "precede", `"path": "a", "line": 21, "start_line": 10`: "same hunk",
	} {
		h := hub(t, false)
		body := fmt.Sprintf(`{"event": "COMMENT", "comments": [{"path": "a", "line": 1, "body": "good"}, {%s, "body": "b"}]}`, anchor)
		answer := ask(h, "bot", "POST", pullPath+"/reviews", body)
		kept := len(h.ReviewComments(7))
		alone := ask(h, "bot", "POST", pullPath+"/comments", fmt.Sprintf(`{"commit_id": "aa", "body": "b", %s}`, anchor))
		if want == "" && (answer.Code != 200 || kept != 2 || alone.Code != 201) {
			t.Errorf("%s: %d and %d", anchor, answer.Code, alone.Code)
		}
		if want != "" && (answer.Code != 422 || kept > 0 || alone.Code != 422 || !strings.Contains(answer.Body.String(), want) || !strings.Contains(alone.Body.String(), want)) {
			t.Errorf("%s: %d %s and %d %s", anchor, answer.Code, answer.Body, alone.Code, alone.Body)
		}
	}
}

func TestPushes(t *testing.T) {
	h := hub(t, false)
	stays, goes := h.SayAt(7, "bot", "a", 22, "y"), h.SayAt(7, "bot", "a", 2, "B")
	h.Push(7, "bb", []githubtest.File{{Path: "a", Patch: "@@ -20,2 +40,3 @@\n x\n+y\n z\n@@ -90,1 +90,2 @@\n x\n+y"}}) // y twice: the nearer one
	got := h.ReviewComments(7)
	if got[0].ID != stays.ID || got[0].Line != 41 || got[0].Outdated || got[1].ID != goes.ID || !got[1].Outdated {
		t.Errorf("got %+v", got)
	}
	review := func(commit string) int {
		return ask(h, "bot", "POST", pullPath+"/reviews", fmt.Sprintf(`{"event": "COMMENT", "commit_id": %q, "comments": [{"path": "a", "line": 22, "body": "b"}]}`, commit)).Code
	}
	if review("aa") != 200 || review("bb") != 422 || review("cc") != 422 {
		t.Error("which lines are in the diff depends on the commit")
	}
	if last := h.ReviewComments(7)[2]; last.Line != 41 || last.Commit != "aa" {
		t.Errorf("a comment made for an old commit: %+v", last)
	}
	h.ForcePush(7, "cc", []githubtest.File{{Path: "a", Patch: patch}})
	if review("aa") != 422 || review("cc") != 200 {
		t.Error("a forced push takes the old commits away")
	}
	if got := h.ReviewComments(7)[1]; !got.Outdated || got.Line != 0 {
		t.Error("what is outdated stays so")
	}
	if no := ask(h, "bot", "POST", pullPath+"/reviews", `{"event": "COMMENT", "body": "x", "commit_id": "aa"}`); !strings.Contains(no.Body.String(), "commit_id is not part") {
		t.Errorf("a review of a commit that is gone: %s", no.Body)
	}
}

func TestGraphQLErrors(t *testing.T) {
	h := hub(t, false)
	for query, want := range map[string]string{
		`{viewer{login}}`: `"login":"github-actions[bot]"`, `query{viewer{login}}`: `"login"`, `{viewer{email}}`: "doesn't exist", `{viewer}`: "must have selections",
		`{viewer{login{x}}}`: "can't be made on scalars", `{viewer{login}`: "parse error", `{viewer{login}}}`: "parse error", ``: "parse error", `query($a:Int!){viewer{login}}`: "invalid value",
		`{repository(owner:"acme",name:"x"){pullRequest(number:7){reviewThreads(first:1){nodes{id}}}}}`:     "NOT_FOUND",
		`{repository(owner:"acme",name:"deals"){pullRequest(number:8){reviewThreads(first:1){nodes{id}}}}}`: "NOT_FOUND",
		`{repository(owner:"acme",name:"deals"){pullRequest(number:7){reviewThreads{nodes{id}}}}}`:          "EXCESSIVE_PAGINATION",
		`{repository(owner:$o,name:"deals"){pullRequest(number:7){reviewThreads(first:1){nodes{id}}}}}`:     "not declared",
		`{repository(owner:"acme",name:"deals"){pullRequest(number:7){reviewThreads(first:1){nodes{id}}}}}`: `"nodes":[]`,
		`mutation{minimizeComment(input:{subjectId:"x",classifier:UGLY}){minimizedComment{isMinimized}}}`:   "invalid value",
		`mutation{viewer{login}}`: "doesn't exist",
	} {
		text, err := json.Marshal(map[string]string{"query": query})
		if err != nil {
			t.Fatal(err)
		}
		answer := ask(h, "bot", "POST", "/graphql", string(text))
		if answer.Code != 200 || !strings.Contains(answer.Body.String(), want) {
			t.Errorf("%s: %d %s", query, answer.Code, answer.Body)
		}
	}
}

func TestBodies(t *testing.T) {
	h := hub(t, false)
	for text, want := range map[string]int{"": 422, " \n": 422, strings.Repeat("é", 65536): 201, strings.Repeat("x", 65537): 422} {
		body, err := json.Marshal(map[string]string{"body": text})
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(h, "bot", "POST", talkPath, string(body)); got.Code != want {
			t.Errorf("%d bytes: %d", len(text), got.Code)
		}
	}
}

// Start serves on a real connection, which a fault breaks.
func TestStart(t *testing.T) {
	h := githubtest.Start(t, "acme/deals")
	h.Allow("bot", githubtest.Job("pull-requests: write"))
	h.Open(githubtest.Pull{Number: 7})
	for fault, want := range map[githubtest.Fault]error{githubtest.Dropped: io.EOF, githubtest.HalfAnswer: io.ErrUnexpectedEOF} {
		h.Next(fault)
		req, err := http.NewRequestWithContext(t.Context(), "POST", h.URL+"/api/v3"+talkPath, strings.NewReader(`{"body": "x"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Authorization": {"Bearer bot"}, "Content-Type": {"application/json"}}
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			_ = resp.Body.Close()
		}
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", fault, err)
		}
	}
	if len(h.Comments(7)) != 1 {
		t.Errorf("%d comments", len(h.Comments(7)))
	}
}

func TestLists(t *testing.T) {
	h := hub(t, false)
	h.Reply(h.SayAt(7, "alice", "a", 2, "x").ID, "eve", "y")
	for range 2 {
		ask(h, "bot", "POST", "/repos/acme/deals/check-runs", `{"name": "x", "head_sha": "aa"}`)
	}
	for path, want := range map[string]string{
		"/repos/acme/deals/commits/aa/check-runs": `"total_count":1`, "/repos/acme/deals/commits/aa/check-runs?filter=all": `"total_count":2`,
	} {
		if got := ask(h, "bot", "GET", path, "").Body.String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", path, got)
		}
	}
	threads := `{"query": "{repository(owner:\"acme\",name:\"deals\"){pullRequest(number:7){reviewThreads(first:9){nodes{id}}}}}"}`
	if got := ask(h, "bot", "POST", "/graphql", threads).Body.String(); strings.Count(got, "PRRT_") != 1 {
		t.Errorf("threads: %s", got)
	}
	if link := ask(h, "bot", "GET", "/api/v3"+pullPath+"/comments?per_page=1", "").Header().Get("Link"); !strings.Contains(link, "<http://example.com/api/v3/repos/") {
		t.Errorf("an Enterprise server's link: %s", link)
	}
}
