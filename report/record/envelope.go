package record

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// payloadType is how in-toto names statements in an envelope.
const payloadType = "application/vnd.in-toto+json"

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

// signedBytes is what is signed of a payload: DSSE's pre-authentication encoding.
func signedBytes(payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(payload), payload)
}

// wrap writes a statement: bare without a key, else in an envelope.
func wrap(s *Statement, k *Key) (text []byte, sig []byte) {
	payload := s.encode()
	if k == nil {
		return payload, nil
	}
	sig = ed25519.Sign(k.private, signedBytes(payload))
	return sealed(payload, k.ID(), sig), sig
}

func sealed(payload []byte, keyID string, sig []byte) []byte {
	return encode(envelope{payloadType, base64.StdEncoding.EncodeToString(payload),
		[]signature{{keyID, base64.StdEncoding.EncodeToString(sig)}}})
}

// unseal takes a statement, as it is written, out of its envelope, where it is in one.
func unseal(text []byte) (payload []byte, keyID string, sig []byte, err error) {
	if !enveloped(text) {
		return text, "", nil, nil
	}
	var e envelope
	if err := decode(text, &e); err != nil {
		return nil, "", nil, fmt.Errorf("the envelope: %w", err)
	}
	if e.PayloadType != payloadType || len(e.Signatures) != 1 || !isHex(e.Signatures[0].KeyID) {
		return nil, "", nil, errors.New("the envelope has another payload, or not one signature")
	}
	if payload, err = unbase64(e.Payload); err != nil {
		return nil, "", nil, fmt.Errorf("the payload: %w", err)
	}
	if sig, err = unbase64(e.Signatures[0].Sig); err != nil {
		return nil, "", nil, fmt.Errorf("the signature: %w", err)
	}
	if len(sig) != ed25519.SignatureSize {
		return nil, "", nil, errors.New("the signature has another length than those of ed25519")
	}
	return payload, e.Signatures[0].KeyID, sig, nil
}

// unbase64 takes base64 that is written in the one way; Go's own reading passes over line ends.
func unbase64(text string) ([]byte, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err == nil && (strings.Contains(text, "\n") || strings.Contains(text, "\r")) {
		err = errors.New("it has line ends in it")
	}
	return raw, err
}

// enveloped tells both ways of writing apart by their first field.
func enveloped(text []byte) bool {
	const first = "{\n \"payloadType\""
	return len(text) > len(first) && string(text[:len(first)]) == first
}
