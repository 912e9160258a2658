// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// The field of a request that says which connection it goes over: the connection, the group, and what becomes of it.
const wishField = "browser-connection"

// The limit on connecting, the handshake and a response, below that of callback-latency.
const patience = 20 * time.Second

// What is offered, with a key share each: browsers offer both groups, and Go has the hybrid one first.
var groups = map[string][]tls.CurveID{
	"X25519":         {tls.X25519},
	"X25519MLKEM768": {tls.X25519MLKEM768, tls.X25519},
}

// A wish for a connection: new (full handshake), resumed (new, with the last ticket) or kept (the one that is open).
type wish struct {
	connection string
	group      string
	afterwards string
	counts     bool
}

func parseWish(text string) (wish, error) {
	if text == "count" {
		return wish{counts: true}, nil
	}
	words := strings.Split(text, " ")
	if len(words) == 3 && slices.Contains([]string{"new", "resumed", "kept"}, words[0]) && groups[words[1]] != nil &&
		slices.Contains([]string{"close", "keep", "hold"}, words[2]) {
		return wish{connection: words[0], group: words[1], afterwards: words[2]}, nil
	}
	return wish{}, errors.New("browser-connection is not understood")
}

// A browser: one connection at most, and the last ticket.
type browser struct {
	target     string
	session    *tls.ClientSessionState
	connection *http2Connection
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
	// The certificate's chain is not verified, since that is no part of the target's work. Its signature is.
	connection := tls.Client(raw, &tls.Config{
		ServerName: "localhost", InsecureSkipVerify: true, MinVersion: tls.VersionTLS13, NextProtos: []string{"h2", "http/1.1"},
		CurvePreferences: groups[group], ClientSessionCache: b,
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
	var network *net.OpError
	if errors.As(err, &network) {
		return network.Err.Error()
	}
	return err.Error()
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
