package github

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
)

// mostSaid is how much of a server's words an error repeats, in characters.
const mostSaid = 300

// spoken is the body of GitHub's refusals (docs.github.com, "Troubleshooting the REST API").
type spoken struct {
	Message string            `json:"message"`
	Errors  []json.RawMessage `json:"errors"` // strings or objects
}

func message(body []byte) string {
	var s spoken
	_ = json.Unmarshal(body, &s) // what isn't of that form says nothing
	return s.Message
}

// said is a refusal's message and reasons, fit to be shown.
func (s *sender) said(a answer) (told struct {
	Message string
	Reasons []string
}) {
	var all spoken
	if a.Response == nil || json.Unmarshal(a.body, &all) != nil || all.Message == "" {
		all.Message = "no reason is given"
	}
	told.Message = s.clean(all.Message)
	for i, raw := range all.Errors {
		if i == 10 {
			break
		}
		told.Reasons = append(told.Reasons, s.clean(reason(raw)))
	}
	return told
}

func reason(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var of struct{ Resource, Field, Code, Message string }
	_ = json.Unmarshal(raw, &of) // what isn't of that form says nothing
	if of.Message != "" {
		return of.Message
	}
	return strings.TrimSpace(of.Resource + " " + of.Field + " " + of.Code)
}

// refusal makes the error of an answer that is a no.
func (s *sender) refusal(a answer, name string, tries int) error {
	told := s.said(a)
	no := Answer{name, a.StatusCode, told.Message, tries}
	switch a.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return Forbidden{no}
	case http.StatusNotFound, http.StatusGone:
		return NotFound{no}
	case http.StatusUnprocessableEntity:
		return Unprocessable{no, told.Reasons}
	}
	return Refused{no}
}

// cause says why a try failed: the line, or the server.
func (s *sender) cause(a answer, line error) error {
	if line != nil {
		return errors.New(s.clean(line.Error()))
	}
	if a.StatusCode < 500 {
		return fmt.Errorf("the answer %d is not GitHub's", a.StatusCode)
	}
	return fmt.Errorf("the answer is %d %s", a.StatusCode, http.StatusText(a.StatusCode))
}

// clean makes a server's words short, one line, and free of the token.
func (s *sender) clean(text string) string {
	if len(s.token) >= 8 { // a shorter one is no secret, and may be a part of any word
		text = strings.ReplaceAll(text, s.token, "***")
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return ' '
	}, text)
	if all := []rune(text); len(all) > mostSaid {
		return string(all[:mostSaid]) + "..."
	}
	return text
}
