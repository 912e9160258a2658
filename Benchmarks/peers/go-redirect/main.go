// SPDX-License-Identifier: Apache-2.0

// net/http with crypto/tls and two handlers that only redirect: what Go takes for the connections of a browser, without
// OpenID Connect. It checks nothing, so it is no peer. Configured by the environment; see
// Benchmarks/targets/go-redirect.json.
//
//go:debug default=go1.27
package main

import (
	"log"
	"net/http"
	"os"
)

func redirect(location, cookie string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", location)
		w.Header().Set("Set-Cookie", cookie+"=0123456789; Path=/; Secure; HttpOnly; SameSite=Lax")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusSeeOther)
	}
}

func main() {
	http.HandleFunc("/start", redirect(os.Getenv("AUTHORIZE"), "login"))
	http.HandleFunc("/callback", redirect("/done?handoff=1", "session"))
	http.HandleFunc("/redeem", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServeTLS(
		os.Getenv("LISTEN"), os.Getenv("TLS_CERTIFICATE"), os.Getenv("TLS_PRIVATE_KEY"), nil))
}
