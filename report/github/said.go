package github

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
)

// maxMessage bounds the server's words in an error, in characters.
const maxMessage = 300

// refusalBody is the body of GitHub's refusals (docs.github.com, "Troubleshooting the REST API").
type refusalBody struct {
	Message string            `json:"message"`
	Errors  []json.RawMessage `json:"errors"` // strings or objects
}

func message(body []byte) string {
	var s refusalBody
	_ = json.Unmarshal(body, &s) // another form has no message
	return s.Message
}

// refusalText returns a refusal's message and reasons, cleaned to be shown.
func (s *sender) refusalText(a answer) (told struct {
	message string
	reasons []string
}) {
	var all refusalBody
	if a.Response == nil || json.Unmarshal(a.body, &all) != nil || all.Message == "" {
		all.Message = "no reason is given"
	}
	told.message = s.clean(all.Message)
	for i, raw := range all.Errors {
		if i == 10 {
			break
		}
		told.reasons = append(told.reasons, s.clean(reason(raw)))
	}
	return told
}

func reason(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var of struct{ Resource, Field, Code, Message string }
	_ = json.Unmarshal(raw, &of) // another form has no reason
	if of.Message != "" {
		return of.Message
	}
	return strings.TrimSpace(of.Resource + " " + of.Field + " " + of.Code)
}

// refusal returns the error of a refusal.
func (s *sender) refusal(a answer, name string, tries int) error {
	told := s.refusalText(a)
	no := refusal{name, a.StatusCode, told.message, tries}
	switch a.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return Forbidden{no}
	case http.StatusNotFound, http.StatusGone:
		return NotFound{no}
	case http.StatusUnprocessableEntity:
		return Unprocessable{no, told.reasons}
	}
	return Refused{no}
}

// cause returns the reason why a try failed: the connection, or the server.
func (s *sender) cause(a answer, line error) error {
	if line != nil {
		return errors.New(s.clean(line.Error()))
	}
	if a.StatusCode < 500 {
		return fmt.Errorf("the answer %d is not GitHub's", a.StatusCode)
	}
	return fmt.Errorf("the answer is %d %s", a.StatusCode, http.StatusText(a.StatusCode))
}

// clean shortens a server's words to one line without the token.
func (s *sender) clean(text string) string {
	if len(s.token) >= 8 { // a shorter one is not a secret, and may be part of any word
		text = strings.ReplaceAll(text, s.token, "***")
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return ' '
	}, text)
	if all := []rune(text); len(all) > maxMessage {
		return string(all[:maxMessage]) + "..."
	}
	return text
}
