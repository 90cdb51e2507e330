package record

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
)

// PayloadType is in-toto's media type for statements in an envelope.
const PayloadType = "application/vnd.in-toto+json"

// An envelope is a DSSE envelope (github.com/secure-systems-lab/dsse, envelope.md, version 1.0): a statement with one signature.
type envelope struct {
	PayloadType string      `json:"payloadType"`
	Payload     string      `json:"payload"` // base64
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   string `json:"sig"` // base64
}

// AppendPAE appends the bytes that a signature of the payload covers, which are DSSE's pre-authentication encoding.
func AppendPAE(to, payload []byte) []byte {
	return append(fmt.Appendf(to, "DSSEv1 %d %s %d ", len(PayloadType), PayloadType, len(payload)), payload...)
}

// Wrap returns the text of a statement's record, and its signature. Without a key the text is the bare statement and sig is nil; with one it
// is an envelope.
func Wrap(s *Statement, k *Key) (text []byte, sig []byte) {
	payload := s.Encode()
	if k == nil {
		return payload, nil
	}
	sig = k.Sign(AppendPAE(nil, payload))
	return Sealed(payload, k.ID(), sig), sig
}

// Sealed returns the envelope around a payload that the key with that id has signed.
func Sealed(payload []byte, keyID string, sig []byte) []byte {
	return Encode(envelope{PayloadType, base64.StdEncoding.EncodeToString(payload),
		[]signature{{keyID, base64.StdEncoding.EncodeToString(sig)}}})
}

// Unseal returns the statement's bytes, and the key id and signature of its envelope. A bare statement is returned as it is, with no key id.
// It returns an error for an envelope that Sealed would not write.
func Unseal(text []byte) (payload []byte, keyID string, sig []byte, err error) {
	if !enveloped(text) {
		return text, "", nil, nil
	}
	if payload, keyID, sig, ok := unsealed(text); ok {
		return payload, keyID, sig, nil
	}
	var e envelope
	if err := decode(text, &e); err != nil {
		return nil, "", nil, fmt.Errorf("the envelope: %w", err)
	}
	return nil, "", nil, errors.New("the envelope has another payload, or not one signature of an ed25519 key in base64 as it is written")
}

// The text that Sealed writes around its three values.
const (
	envelopeHead = "{\n \"payloadType\": \"" + PayloadType + "\",\n \"payload\": \""
	envelopeKey  = "\",\n \"signatures\": [\n  {\n   \"keyid\": \""
	envelopeSig  = "\",\n   \"sig\": \""
	envelopeTail = "\"\n  }\n ]\n}\n"
)

// unsealed reads what Sealed writes, and nothing else.
func unsealed(text []byte) (payload []byte, keyID string, sig []byte, ok bool) {
	rest, head := bytes.CutPrefix(text, []byte(envelopeHead))
	in, rest, key := bytes.Cut(rest, []byte(envelopeKey))
	id, rest, signed := bytes.Cut(rest, []byte(envelopeSig))
	rest, tail := bytes.CutSuffix(rest, []byte(envelopeTail))
	if !head || !key || !signed || !tail || !isHex(string(id)) {
		return nil, "", nil, false
	}
	payload, whole := unbase64((*Texts.Get().(*[]byte))[:0], in) // Record.drop gives the buffer back
	sig, short := unbase64(nil, rest)
	return payload, string(id), sig, whole && short && len(sig) == ed25519.SignatureSize
}

// unbase64 appends the decoded text. It accepts the one canonical encoding only, where Go's decoder skips line ends.
func unbase64(to, text []byte) ([]byte, bool) {
	if bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0 {
		return nil, false
	}
	raw, err := base64.StdEncoding.Strict().AppendDecode(to, text)
	return raw, err == nil
}

// enveloped reports whether a text is an envelope and not a bare statement. The first field decides.
func enveloped(text []byte) bool {
	return bytes.HasPrefix(text, []byte("{\n \"payloadType\""))
}
