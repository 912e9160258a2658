// SPDX-License-Identifier: Apache-2.0

// A relying party after the examples of go-oidc and x/oauth2 that signs in once. Configured by the environment;
// prints one JSON object.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

type report struct {
	Client    string `json:"client"`
	Version   string `json:"version"`
	Kind      string `json:"kind"`
	Sends     string `json:"sends"`
	Settings  string `json:"settings"`
	Result    string `json:"result"`
	Subject   string `json:"sub"`
	Algorithm string `json:"algorithm"`
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func newTransport(certificates string) (*http.Transport, error) {
	pem, err := os.ReadFile(certificates)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("BROKER_CA_FILE has no certificate")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	return transport, nil
}

// code returns the code of an authorization response, which must be the one to this login.
func code(response url.Values, state, issuer string) (string, error) {
	switch {
	case response.Get("error") != "":
		return "", fmt.Errorf("the broker responded %s: %s", response.Get("error"), response.Get("error_description"))
	case response.Get("state") != state:
		return "", errors.New("the response has another state")
	case response.Get("iss") != issuer:
		return "", errors.New("the response has another iss (RFC 9207)")
	}
	return response.Get("code"), nil
}

// algorithm returns the algorithm of a verified token.
func algorithm(token string) (string, error) {
	header, err := base64.RawURLEncoding.DecodeString(strings.SplitN(token, ".", 2)[0])
	if err != nil {
		return "", err
	}
	var value struct {
		Algorithm string `json:"alg"`
	}
	err = json.Unmarshal(header, &value)
	return value.Algorithm, err
}

// altered returns a token with another signature.
func altered(token string) string {
	start := strings.LastIndex(token, ".") + 1
	replacement := "A"
	if token[start] == 'A' {
		replacement = "B"
	}
	return token[:start] + replacement + token[start+1:]
}

func signIn() (*report, error) {
	transport, err := newTransport(os.Getenv("BROKER_CA_FILE"))
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: transport, Timeout: 15 * time.Second}
	ctx := oidc.ClientContext(context.Background(), client)
	issuer, clientID, redirectURI := os.Getenv("BROKER_ISSUER"), os.Getenv("CLIENT_ID"), os.Getenv("REDIRECT_URI")
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return nil, err
	}
	config := oauth2.Config{
		ClientID: clientID, ClientSecret: os.Getenv("CLIENT_SECRET"), Endpoint: provider.Endpoint(),
		RedirectURL: redirectURI, Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}
	kind := "confidential"
	if config.ClientSecret == "" {
		config.Endpoint.AuthStyle = oauth2.AuthStyleInParams
		kind = "public"
	}

	state, nonce, verifier := random(), random(), random()
	digest := sha256.Sum256([]byte(verifier))
	start := config.AuthCodeURL(state, oidc.Nonce(nonce),
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(digest[:])),
		oauth2.SetAuthURLParam("code_challenge_method", "S256"))
	response, err := browse(transport, start, redirectURI)
	if err != nil {
		return nil, err
	}
	value, err := code(response, state, issuer)
	if err != nil {
		return nil, err
	}
	token, err := config.Exchange(ctx, value, oauth2.SetAuthURLParam("code_verifier", verifier))
	if err != nil {
		return nil, err
	}
	raw, isText := token.Extra("id_token").(string)
	if !isText {
		return nil, errors.New("the response has no ID token")
	}
	// Version 2 accepts RS256 alone unless it is told.
	idTokens := provider.Verifier(&oidc.Config{ClientID: clientID, SupportedSigningAlgs: []string{"RS256", "ES256"}})
	idToken, err := idTokens.Verify(ctx, raw)
	if err != nil {
		return nil, err
	}
	if idToken.Nonce != nonce {
		return nil, errors.New("the ID token has another nonce")
	}
	if err := idToken.VerifyAccessToken(token.AccessToken); err != nil {
		return nil, err
	}
	if _, err := idTokens.Verify(ctx, altered(raw)); err == nil {
		return nil, errors.New("go-oidc accepted an altered ID token, so it verified nothing")
	}
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return nil, err
	}
	if info.Subject != idToken.Subject {
		return nil, errors.New("UserInfo has another sub")
	}
	name, err := algorithm(raw)
	if err != nil {
		return nil, err
	}
	return &report{
		Client: "go-oidc, x/oauth2", Version: os.Getenv("VERSION"), Kind: kind, Sends: "nonce, PKCE S256",
		Settings: "`code_challenge`, `code_challenge_method` and `code_verifier` as `SetAuthURLParam`; " +
			"`SupportedSigningAlgs` for ES256; the app compares `nonce`, `state` and `iss`",
		Result: "signs in", Subject: idToken.Subject, Algorithm: name,
	}, nil
}

func main() {
	log.SetFlags(0)
	result, err := signIn()
	if err != nil {
		log.Fatal("go-oidc: ", err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		log.Fatal(err)
	}
}
