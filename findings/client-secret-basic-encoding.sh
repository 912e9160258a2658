#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Four libraries for clients, two meanings of `client_secret_basic`. RFC 6749 section 2.3.1 encodes the identifier and the
# secret as for a form before they are put into the header. The Ruby gem rack-oauth2 1.21.3 and golang.org/x/oauth2 0.3.0 do
# so, Ruby's oauth2 1.4.4 (and 2.0.25) and Perl's Net::OAuth2 0.67 do not. One secret with `+`, `/` or `%`, as Base64 has
# them, fails with one half of them: a provider that decodes reads another secret, and one that does not refuses the rest.
#
# Seen with ruby-rack-oauth2 1.21.3-1, golang-golang-x-oauth2-dev 0.3.0-1 (Go 1.19.8), ruby-oauth2 1.4.4-1+deb12u1 and
# libnet-oauth2-perl 0.67-1 of Debian 12. Prints what is sent, and fails if that changes. Needs the first two, with
# golang-go, installed, and the packages' mirror.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
dpkg-query -W ruby-rack-oauth2 golang-golang-x-oauth2-dev
apt-get download -qq ruby-oauth2=1.4.4-1+deb12u1 libnet-oauth2-perl=0.67-1 libwww-perl libhttp-message-perl liburi-perl \
    libjson-maybexs-perl libhttp-date-perl libencode-locale-perl libio-html-perl liblwp-mediatypes-perl libtimedate-perl \
    libtry-tiny-perl libclone-perl >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done

cat >basic.rb <<'RB'
require 'rack/oauth2'
require Dir['root/**/oauth2/authenticator.rb'].map { |path| File.expand_path(path) }.first

client = Rack::OAuth2::Client.new(identifier: 'app', secret: 'a+b/c%2Fd', host: 'op.example')
show = ->(name, header) { puts "#{name}: #{header.split.last.unpack1('m')}" }
show.call('Ruby rack-oauth2', client.send(:authenticated_context_from).first['Authorization'])
show.call('Ruby oauth2', OAuth2::Authenticator.new('app', 'a+b/c%2Fd', :basic_auth).apply({})[:headers]['Authorization'])
RB

cat >basic.go <<'GO'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"golang.org/x/oauth2"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		fmt.Printf("Go x/oauth2: %s:%s\n", id, secret)
	}))
	endpoint := oauth2.Endpoint{TokenURL: server.URL, AuthStyle: oauth2.AuthStyleInHeader}
	config := oauth2.Config{ClientID: "app", ClientSecret: "a+b/c%2Fd", Endpoint: endpoint}
	config.Exchange(context.Background(), "code")
}
GO

cat >basic.pl <<'PL'
use MIME::Base64;
use Net::OAuth2::Profile::WebServer;
my $profile = Net::OAuth2::Profile::WebServer->new(
    client_id => 'app', client_secret => 'a+b/c%2Fd', site => 'https://op.example', secrets_in_params => 0);
my $request = $profile->build_request('POST', 'https://op.example/token', $profile->access_token_params(code => 'code'));
my ($basic) = $request->header('Authorization') =~ /^Basic (.*)/;
print 'Perl Net::OAuth2: ', decode_base64($basic), "\n";
PL

GO111MODULE=off GOPATH=/usr/share/gocode go build -o basic basic.go
seen=$(ruby basic.rb && ./basic && PERL5LIB=root/usr/share/perl5:root/usr/lib/x86_64-linux-gnu/perl5/5.36 perl basic.pl)
printf '%s\n' "$seen"
[[ "$seen" == "Ruby rack-oauth2: app:a%2Bb%2Fc%252Fd
Ruby oauth2: app:a+b/c%2Fd
Go x/oauth2: app:a%2Bb%2Fc%252Fd
Perl Net::OAuth2: app:a+b/c%2Fd" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
