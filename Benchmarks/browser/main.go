// SPDX-License-Identifier: Apache-2.0

// The connections of browsers for `callback-latency --browser`, in Go because NIOSSL cannot resume a session as a client.
//
// It listens for plain HTTP/1.1 on this machine. Each connection to it is a browser: its requests go to the target over
// TLS 1.3 and HTTP/2, on the connection that the field browser-connection asks for. How long that took, and what a
// handshake negotiated, are fields of the response. It decides nothing: sign-ins are driven and verified by
// callback-latency.
//
// Without a module, Go would take the defaults of an old release, for TLS as well.
//
//go:debug default=go1.27
package main

import (
	"context"
	"flag"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"time"
)

type browserKey struct{}

func main() {
	listen := flag.String("listen", "", "where callback-latency connects to")
	target := flag.String("target", "", "the address of the target")
	flag.Parse()
	held := &heldConnections{}
	server := &http.Server{
		Addr: *listen,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			serve(w, request, request.Context().Value(browserKey{}).(*browser), held)
		}),
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, browserKey{}, &browser{target: *target})
		},
	}
	log.Fatal(server.ListenAndServe())
}

// Makes one request of a browser.
func serve(w http.ResponseWriter, request *http.Request, b *browser, held *heldConnections) {
	wish, err := parseWish(request.Header.Get(wishField))
	if err != nil {
		fail(w, err)
		return
	}
	if wish.counts {
		io.WriteString(w, strconv.Itoa(held.count()))
		return
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		fail(w, err)
		return
	}
	// Whatever the browser still has open is closed before the time counts.
	b.prepare(wish)
	began := time.Now()
	handshake, response, err := b.exchange(wish, request, body)
	elapsed := time.Since(began)
	if err != nil {
		b.close()
		fail(w, err)
		return
	}
	header := w.Header()
	for _, field := range response.fields {
		header.Add(field.Name, field.Value)
	}
	header.Set("content-length", strconv.Itoa(len(response.body)))
	header.Set("browser-nanoseconds", strconv.FormatInt(elapsed.Nanoseconds(), 10))
	if handshake != "" {
		header.Set("browser-handshake", handshake)
	}
	w.WriteHeader(response.status)
	w.Write(response.body)
	switch wish.afterwards {
	case "close":
		// The person is at the provider; the target's work on the end of the connection is in no latency.
		w.(http.Flusher).Flush()
		b.close()
	case "hold":
		held.keep(b.release())
	}
}

func fail(w http.ResponseWriter, err error) {
	w.Header().Set("browser-failure", kind(err))
	w.WriteHeader(http.StatusBadGateway)
}
