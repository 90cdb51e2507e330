package githubtest

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

// Description is the file with GitHub's description of its API; empty: it is not there.
func Description() string {
	file := corpus.Path("github/openapi-subset.json")
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// A description is GitHub's own (github.com/github/rest-api-description), made strict.
type description struct{ router routers.Router }

var described sync.Map // by file, for it takes a while to read

func describe(file string) (*description, error) {
	if d, ok := described.Load(file); ok {
		return d.(*description), nil
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d, err := read(raw)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", filepath.Base(file), err)
	}
	described.Store(file, d)
	return d, nil
}

func read(raw []byte) (*description, error) {
	var doc object
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	if err := add(doc); err != nil {
		return nil, err
	}
	paths, ok := doc["paths"].(object)
	if !ok {
		return nil, fmt.Errorf("it has no paths")
	}
	doc["paths"] = strictPaths(paths)
	if components, ok := doc["components"].(object); ok { // requests refer to none of them
		loosen(components["schemas"])
		deletedForks(components["schemas"])
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	api, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	router, err := gorillamux.NewRouter(api)
	return &description{router}, err
}

// more.json is what the description beside the repository leaves out of GitHub's.
//
//go:embed more.json
var more []byte

// add adds it, but for what is there.
func add(doc object) error {
	var extra object
	if err := json.Unmarshal(more, &extra); err != nil {
		return err
	}
	addTo(doc, extra, 3)
	return nil
}

func addTo(to, from object, depth int) {
	for name, value := range from {
		inner, isObject := value.(object)
		if there, ok := to[name].(object); ok && isObject && depth > 1 {
			addTo(there, inner, depth-1)
		} else if _, ok := to[name]; !ok {
			to[name] = value
		}
	}
}

// deletedForks says what the description leaves out: a head's repository that was deleted is null
// (github/rest-api-description issue 1811).
func deletedForks(schemas any) {
	for _, name := range []string{"pull-request", "pull-request-simple"} {
		at := schemas
		for _, step := range []string{name, "properties", "head", "properties"} {
			in, _ := at.(object)
			at = in[step]
		}
		if head, ok := at.(object); ok {
			head["repo"] = object{"nullable": true, "type": "object"}
		}
	}
}

// strictPaths lets the arguments of a path that are paths themselves be so, and closes the bodies of
// requests: GitHub passes over a field that it does not know, and a test should not.
func strictPaths(paths object) object {
	strict := object{}
	for path, item := range paths {
		if strings.Contains(path, "{base}...{head}") {
			continue // {basehead} is the same
		}
		for _, many := range []string{"contents/{path}", "git/ref/{ref}", "git/refs/{ref}", "matching-refs/{ref}", "compare/{basehead}"} {
			path = strings.Replace(path, many, strings.TrimSuffix(many, "}")+":.+}", 1)
		}
		for _, operation := range item.(object) {
			if o, ok := operation.(object); ok {
				closeObjects(o["requestBody"])
				loosen(o["responses"])
			}
		}
		strict[path] = item
	}
	return strict
}

// closeObjects lets no object have a property that is not described.
func closeObjects(schema any) {
	switch s := schema.(type) {
	case object:
		_, described := s["properties"].(object)
		if _, said := s["additionalProperties"]; described && !said {
			s["additionalProperties"] = false
		}
		for _, part := range s {
			closeObjects(part)
		}
	case []any:
		for _, part := range s {
			closeObjects(part)
		}
	}
}

// loosen lets an answer leave out what no client here reads; what it has must be as described.
func loosen(schema any) {
	switch s := schema.(type) {
	case object:
		if _, list := s["required"].([]any); list {
			delete(s, "required")
		}
		if one, ok := s["oneOf"]; ok { // without what is required, several may fit
			s["anyOf"] = one
			delete(s, "oneOf")
		}
		for _, part := range s {
			loosen(part)
		}
	case []any:
		for _, part := range s {
			loosen(part)
		}
	}
}

var options = &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, SkipSettingDefaults: true, RejectWhenRequestBodyNotSpecified: true}

func (d *description) input(c *call, r *http.Request) (*openapi3filter.RequestValidationInput, error) {
	req, err := http.NewRequest(c.method, "https://api.github.com"+c.path+"?"+r.URL.RawQuery, bytes.NewReader(c.body))
	if err != nil {
		return nil, err
	}
	req.Header = r.Header.Clone()
	route, args, err := d.router.FindRoute(req)
	if err != nil {
		return nil, err
	}
	return &openapi3filter.RequestValidationInput{Request: req, PathParams: args, Route: route, Options: options}, nil
}

// objects says why a request does not fit; empty: it does.
func (d *description) objects(c *call, r *http.Request) string {
	in, err := d.input(c, r)
	if err != nil {
		return "no such operation: " + err.Error()
	}
	if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil {
		return short(err)
	}
	return unknownParameter(in.Route, c.query)
}

// unknownParameter finds what kin-openapi passes over.
func unknownParameter(route *routers.Route, query url.Values) string {
	for name := range query {
		if route.Operation.Parameters.GetByInAndName(openapi3.ParameterInQuery, name) == nil {
			return "no such parameter: " + name
		}
	}
	return ""
}

// misanswered says why an answer of this package is not one that GitHub would give.
func (d *description) misanswered(c *call, r *http.Request, a reply) string {
	in, err := d.input(c, r)
	if err != nil {
		return err.Error()
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: a.status, Header: http.Header{}, Options: options}
	out.Header.Set("Content-Type", "application/json")
	if a.body != nil {
		text, err := json.Marshal(a.body)
		if err != nil {
			return err.Error()
		}
		out.SetBodyBytes(text)
	}
	if err := openapi3filter.ValidateResponse(context.Background(), out); err != nil {
		return "the fake's own answer: " + short(err)
	}
	return ""
}

func short(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\nSchema:")
	return text
}
