// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"time"
)

const mostPages = 20

var (
	// The form of the page "Continue to APP", which the broker shows if the redirect URI is not https.
	formAction = regexp.MustCompile(`<form method="post" action="([^"]*)" id="proceed">`)
	formLogin  = regexp.MustCompile(`<input type="hidden" name="login" value="([^"]*)"`)
)

// browse loads a page as the person's browser, continues to the app, and returns the query with which the redirect URI
// was called.
func browse(transport http.RoundTripper, start, redirectURI string) (url.Values, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{
		Transport: transport, Jar: jar, Timeout: 15 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	request, err := http.NewRequest(http.MethodGet, start, nil)
	if err != nil {
		return nil, err
	}
	for page := 0; page < mostPages; page++ {
		response, err := client.Do(request)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(io.LimitReader(response.Body, 1<<18))
		response.Body.Close()
		if err != nil {
			return nil, err
		}
		if response.StatusCode == http.StatusOK {
			if request, err = continuation(request.URL, string(body)); err != nil {
				return nil, err
			}
			continue
		}
		next, err := response.Location()
		if err != nil {
			return nil, fmt.Errorf("%s%s responded with %s", request.URL.Host, request.URL.Path, response.Status)
		}
		if strings.HasPrefix(next.String(), redirectURI+"?") {
			return next.Query(), nil
		}
		if request, err = http.NewRequest(http.MethodGet, next.String(), nil); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("the redirects do not end")
}

// continuation returns the request of the form that the person sends.
func continuation(page *url.URL, text string) (*http.Request, error) {
	action, login := formAction.FindStringSubmatch(text), formLogin.FindStringSubmatch(text)
	if action == nil || login == nil {
		return nil, fmt.Errorf("%s%s responded with a page that has no way on", page.Host, page.Path)
	}
	target, err := page.Parse(html.UnescapeString(action[1]))
	if err != nil {
		return nil, err
	}
	form := url.Values{"login": {html.UnescapeString(login[1])}}
	request, err := http.NewRequest(http.MethodPost, target.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", page.Scheme+"://"+page.Host)
	return request, nil
}
