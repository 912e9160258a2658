// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// The field of a request that says which connection it goes over: the connection, the group, and what becomes of it.
const wishField = "browser-connection"

// The limit on connecting, the handshake and a response, below that of callback-latency.
const patience = 20 * time.Second

var groups = map[string]tls.CurveID{"X25519": tls.X25519, "X25519MLKEM768": tls.X25519MLKEM768}

// A wish for a connection: new (full handshake), resumed (new, with the last ticket) or kept (the one that is open).
type wish struct {
	connection string
	group      string
	afterwards string
	counts     bool
}

func parseWish(text string) (wish, error) {
	words := strings.Split(text, " ")
	if text == "count" {
		return wish{counts: true}, nil
	}
	if len(words) != 3 {
		return wish{}, errors.New("browser-connection is not understood")
	}
	w := wish{connection: words[0], group: words[1], afterwards: words[2]}
	switch w.connection {
	case "new", "resumed", "kept":
	default:
		return wish{}, errors.New("browser-connection names no connection")
	}
	if _, known := groups[w.group]; !known {
		return wish{}, errors.New("browser-connection names no group")
	}
	switch w.afterwards {
	case "close", "keep", "hold":
	default:
		return wish{}, errors.New("browser-connection does not say what becomes of it")
	}
	return w, nil
}

// A browser: one connection at most, and the last ticket.
type browser struct {
	target     string
	serverName string
	session    *tls.ClientSessionState
	connection *http2Connection
}

func newBrowser(target, serverName string) *browser {
	return &browser{target: target, serverName: serverName}
}

// Get and Put are tls.ClientSessionCache for the only target there is.
func (b *browser) Get(string) (*tls.ClientSessionState, bool)    { return b.session, b.session != nil }
func (b *browser) Put(_ string, session *tls.ClientSessionState) { b.session = session }

// Closes and forgets what a wish does not use.
func (b *browser) prepare(w wish) {
	if w.connection != "kept" {
		b.close()
	}
	if w.connection == "new" {
		b.session = nil
	}
}

func (b *browser) close() {
	if connection := b.release(); connection != nil {
		connection.close()
	}
}

// Gives the connection away.
func (b *browser) release() *http2Connection {
	connection := b.connection
	b.connection = nil
	return connection
}

// Makes a request. The first result says what a handshake negotiated, and is empty where there was none.
func (b *browser) exchange(w wish, request *http.Request, body []byte) (string, *response, error) {
	handshake := ""
	if w.connection == "kept" {
		if b.connection == nil {
			return "", nil, errors.New("no connection was kept")
		}
	} else {
		var err error
		if handshake, err = b.connect(w.group); err != nil {
			return "", nil, err
		}
	}
	response, err := b.connection.exchange(request, body)
	return handshake, response, err
}

func (b *browser) connect(group string) (string, error) {
	raw, err := net.DialTimeout("tcp4", b.target, patience)
	if err != nil {
		return "", err
	}
	// Browsers offer both groups, with a key share for each; Go has the hybrid one first. The certificate's chain is not
	// verified, since that is no part of the target's work. Its signature is.
	preferences := []tls.CurveID{tls.X25519}
	if group == "X25519MLKEM768" {
		preferences = []tls.CurveID{tls.X25519MLKEM768, tls.X25519}
	}
	connection := tls.Client(raw, &tls.Config{
		ServerName: b.serverName, InsecureSkipVerify: true, MinVersion: tls.VersionTLS13, NextProtos: []string{"h2", "http/1.1"},
		CurvePreferences: preferences, ClientSessionCache: b,
	})
	connection.SetDeadline(time.Now().Add(patience))
	if err := connection.Handshake(); err != nil {
		raw.Close()
		return "", fmt.Errorf("TLS failed: %w", err)
	}
	state := connection.ConnectionState()
	if state.NegotiatedProtocol != "h2" {
		connection.Close()
		return "", errors.New("the target does not speak HTTP/2")
	}
	b.connection = newHTTP2Connection(connection)
	return describe(state), b.connection.begin()
}

// What a handshake negotiated, in one line.
func describe(state tls.ConnectionState) string {
	parts := []string{
		tls.VersionName(state.Version), state.NegotiatedProtocol, state.CurveID.String(), tls.CipherSuiteName(state.CipherSuite),
		certificate(state.PeerCertificates),
	}
	if state.HelloRetryRequest {
		parts = append(parts, "second hello")
	}
	if state.DidResume {
		parts = append(parts, "resumed")
	}
	return strings.Join(parts, ", ")
}

func certificate(chain []*x509.Certificate) string {
	if len(chain) == 0 {
		return "no certificate"
	}
	if key, isECDSA := chain[0].PublicKey.(*ecdsa.PublicKey); isECDSA {
		return "ECDSA " + key.Params().Name
	}
	return chain[0].PublicKeyAlgorithm.String()
}

// The kind of a failure, without addresses and ports, so that equal failures have one line in the result.
func kind(err error) string {
	var network net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the connection was reset"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "no port is free for another connection"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed"
	case errors.As(err, &network) && network.Timeout():
		return "no response in time"
	default:
		return strings.Map(printable, err.Error())
	}
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return ' '
	}
	return r
}

// Connections that stand open after a request, until this process ends.
type heldConnections struct{ open atomic.Int64 }

func (h *heldConnections) count() int { return int(h.open.Load()) }

func (h *heldConnections) keep(connection *http2Connection) {
	h.open.Add(1)
	go func() {
		connection.idle()
		connection.close()
		h.open.Add(-1)
	}()
}
