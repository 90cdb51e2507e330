package record

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
)

// A Key signs records.
type Key struct{ private ed25519.PrivateKey }

// NewKey generates an ed25519 key from random bytes.
func NewKey(random io.Reader) (*Key, error) {
	_, private, err := ed25519.GenerateKey(random)
	if err != nil {
		return nil, err
	}
	return &Key{private}, nil
}

const privateBlock, publicBlock = "PRIVATE KEY", "PUBLIC KEY"

// ParseKey reads a private ed25519 key in PEM (PKCS #8, RFC 8410), the form that Key.PEM and `openssl genpkey -algorithm ed25519` write.
func ParseKey(text []byte) (*Key, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != privateBlock {
		return nil, errors.New("it is no private key in PEM: 'redline keygen FILE' writes one")
	}
	any, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("it is no private key: %w", err)
	}
	private, ok := any.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("it is a key of another kind: records are signed with ed25519")
	}
	return &Key{private}, nil
}

// PEM returns the private key in the form that ParseKey reads.
func (k *Key) PEM() []byte {
	der, err := x509.MarshalPKCS8PrivateKey(k.private)
	if err != nil {
		panic(err) // of ed25519
	}
	return pem.EncodeToMemory(&pem.Block{Type: privateBlock, Bytes: der})
}

// Public returns the public key, which checks the signatures of this one.
func (k *Key) Public() ed25519.PublicKey { return k.private.Public().(ed25519.PublicKey) }

// Sign returns the key's ed25519 signature of a text.
func (k *Key) Sign(text []byte) []byte { return ed25519.Sign(k.private, text) }

// ID returns the id that signatures name the key by, and "" for a nil key.
func (k *Key) ID() string {
	if k == nil {
		return ""
	}
	return keyID(k.Public())
}

// keyID returns the SHA-256 of the public key as RFC 8410 writes it (SubjectPublicKeyInfo, DER), in hexadecimal digits. It is what `openssl
// pkey -pubin -outform DER | sha256sum` prints.
func keyID(public ed25519.PublicKey) string {
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		panic(err) // of ed25519
	}
	h := sha256.Sum256(der)
	return hex.EncodeToString(h[:])
}
