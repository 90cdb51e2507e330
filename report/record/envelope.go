package record

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
)

// PayloadType is how in-toto names statements in an envelope.
const PayloadType = "application/vnd.in-toto+json"

// An envelope is DSSE's (github.com/secure-systems-lab/dsse, envelope.md, version 1.0): a statement with one signature.
type envelope struct {
	PayloadType string      `json:"payloadType"`
	Payload     string      `json:"payload"` // base64
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   string `json:"sig"` // base64
}

// AppendedSigned appends what is signed of a payload: DSSE's pre-authentication encoding.
func AppendedSigned(to, payload []byte) []byte {
	return append(fmt.Appendf(to, "DSSEv1 %d %s %d ", len(PayloadType), PayloadType, len(payload)), payload...)
}

// Wrap writes a statement: bare without a key, else in an envelope.
func Wrap(s *Statement, k *Key) (text []byte, sig []byte) {
	payload := s.Encode()
	if k == nil {
		return payload, nil
	}
	sig = ed25519.Sign(k.private, AppendedSigned(nil, payload))
	return Sealed(payload, k.ID(), sig), sig
}

func Sealed(payload []byte, keyID string, sig []byte) []byte {
	return Encode(envelope{PayloadType, base64.StdEncoding.EncodeToString(payload),
		[]signature{{keyID, base64.StdEncoding.EncodeToString(sig)}}})
}

// Unseal takes a statement, as it is written, out of its envelope, where it is in one.
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

// What sealed writes around its three texts.
const (
	envelopeHead = "{\n \"payloadType\": \"" + PayloadType + "\",\n \"payload\": \""
	envelopeKey  = "\",\n \"signatures\": [\n  {\n   \"keyid\": \""
	envelopeSig  = "\",\n   \"sig\": \""
	envelopeTail = "\"\n  }\n ]\n}\n"
)

// unsealed reads what sealed writes, and nothing else.
func unsealed(text []byte) (payload []byte, keyID string, sig []byte, ok bool) {
	rest, head := bytes.CutPrefix(text, []byte(envelopeHead))
	in, rest, key := bytes.Cut(rest, []byte(envelopeKey))
	id, rest, signed := bytes.Cut(rest, []byte(envelopeSig))
	rest, tail := bytes.CutSuffix(rest, []byte(envelopeTail))
	if !head || !key || !signed || !tail || !isHex(string(id)) {
		return nil, "", nil, false
	}
	payload, whole := unbase64((*Texts.Get().(*[]byte))[:0], in) // Record.drop gives it back
	sig, short := unbase64(nil, rest)
	return payload, string(id), sig, whole && short && len(sig) == ed25519.SignatureSize
}

// unbase64 appends what is in base64 that is written in the one way; Go's own reading passes over line ends.
func unbase64(to, text []byte) ([]byte, bool) {
	if bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0 {
		return nil, false
	}
	raw, err := base64.StdEncoding.Strict().AppendDecode(to, text)
	return raw, err == nil
}

// enveloped tells both ways of writing apart by their first field.
func enveloped(text []byte) bool {
	return bytes.HasPrefix(text, []byte("{\n \"payloadType\""))
}
