// SPDX-License-Identifier: Apache-2.0

// A minimal relying party in Go, after the examples of go-oidc and x/oauth2: state, nonce and PKCE verifier in
// one cookie, a session in memory. Configured by the environment; see Benchmarks/targets/go-oidc.json.
//
// Without a module, Go would take the defaults of an old release, for TLS as well.
//
//go:debug default=go1.27
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

// The maximum number of sessions. The oldest are removed first.
const mostSessions = 4096

type person struct {
	Subject string `json:"sub"`
	Email   string `json:"email"`
	Name    string `json:"name"`
}

type sessions struct {
	mutex sync.Mutex
	byID  map[string]person
	order [mostSessions]string
	next  int
}

func (s *sessions) add(who person) string {
	id := random(24)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.byID, s.order[s.next])
	s.order[s.next] = id
	s.next = (s.next + 1) % mostSessions
	s.byID[id] = who
	return id
}

func (s *sessions) find(id string) (person, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	who, found := s.byID[id]
	return who, found
}

func random(count int) string {
	bytes := make([]byte, count)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

type relyingParty struct {
	client   *http.Client
	config   oauth2.Config
	verifier *oidc.IDTokenVerifier
	sessions sessions
	secure   bool
}

func (r *relyingParty) setCookie(w http.ResponseWriter, name, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: age, HttpOnly: true, Secure: r.secure, SameSite: http.SameSiteLaxMode,
	})
}

func (r *relyingParty) start(w http.ResponseWriter, _ *http.Request) {
	state, nonce, verifier := random(16), random(16), random(32)
	digest := sha256.Sum256([]byte(verifier))
	r.setCookie(w, "login", state+"."+nonce+"."+verifier, 600)
	w.Header().Set("Location", r.config.AuthCodeURL(state, oidc.Nonce(nonce),
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(digest[:])),
		oauth2.SetAuthURLParam("code_challenge_method", "S256")))
	w.WriteHeader(http.StatusFound)
}

func (r *relyingParty) callback(w http.ResponseWriter, request *http.Request) {
	cookie, err := request.Cookie("login")
	if err != nil {
		http.Error(w, "no login", http.StatusBadRequest)
		return
	}
	parts := strings.Split(cookie.Value, ".")
	query := request.URL.Query()
	if len(parts) != 3 || subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(parts[0])) != 1 {
		http.Error(w, "another state", http.StatusBadRequest)
		return
	}
	ctx := oidc.ClientContext(request.Context(), r.client)
	token, err := r.config.Exchange(ctx, query.Get("code"), oauth2.SetAuthURLParam("code_verifier", parts[2]))
	if err != nil {
		http.Error(w, "the code was not exchanged", http.StatusBadGateway)
		return
	}
	raw, isText := token.Extra("id_token").(string)
	if !isText {
		http.Error(w, "no ID token", http.StatusBadGateway)
		return
	}
	idToken, err := r.verifier.Verify(ctx, raw)
	if err != nil || idToken.Nonce != parts[1] {
		http.Error(w, "the ID token is not good", http.StatusUnauthorized)
		return
	}
	var who person
	if err := idToken.Claims(&who); err != nil {
		http.Error(w, "no claims", http.StatusBadGateway)
		return
	}
	r.setCookie(w, "login", "", -1)
	r.setCookie(w, "session", r.sessions.add(who), 3600)
	w.Header().Set("Location", "/me")
	w.WriteHeader(http.StatusFound)
}

func (r *relyingParty) me(w http.ResponseWriter, request *http.Request) {
	if cookie, err := request.Cookie("session"); err == nil {
		if who, found := r.sessions.find(cookie.Value); found {
			io.WriteString(w, who.Subject)
			return
		}
	}
	http.Error(w, "no session", http.StatusUnauthorized)
}

func main() {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	// By default only two connections to a host are kept, and most sign-ins would open a new one.
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 512, 512
	client := &http.Client{Transport: transport, Timeout: 15 * time.Second}
	clientID := os.Getenv("CLIENT_ID")
	publicURL := os.Getenv("PUBLIC_URL")
	provider, err := oidc.NewProvider(oidc.ClientContext(context.Background(), client), os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	r := &relyingParty{
		client: client,
		config: oauth2.Config{
			ClientID: clientID, ClientSecret: os.Getenv("CLIENT_SECRET"), Endpoint: provider.Endpoint(),
			RedirectURL: publicURL + "/callback", Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
		},
		verifier: provider.Verifier(&oidc.Config{ClientID: clientID, SupportedSigningAlgs: []string{"RS256", "ES256"}}),
		sessions: sessions{byID: map[string]person{}},
		secure:   strings.HasPrefix(publicURL, "https:"),
	}
	http.HandleFunc("/start", r.start)
	http.HandleFunc("/callback", r.callback)
	http.HandleFunc("/me", r.me)
	listen, certificate := os.Getenv("LISTEN"), os.Getenv("TLS_CERTIFICATE")
	if certificate != "" {
		log.Fatal(http.ListenAndServeTLS(listen, certificate, os.Getenv("TLS_PRIVATE_KEY"), nil))
	}
	log.Fatal(http.ListenAndServe(listen, nil))
}
