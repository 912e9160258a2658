#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Perl's Net::OAuth2::AuthorizationServer 0.28 has `invalid_grant` for nearly all that can be wrong. RFC 6749 section 5.2 has
# `invalid_client` for a wrong secret and `invalid_scope` for a refresh that asks for more; RFC 6750 section 3.1 has
# `invalid_token` for an access token that has ended, and `insufficient_scope`. A client drops its code or refresh token for a
# wrong secret, and does not refresh for an ended access token. `bearer` is `invalid_request`: RFC 9110 section 11.1 compares
# schemes without case.
#
# Seen with libnet-oauth2-authorizationserver-perl 0.28-2 of Debian 12. Prints the codes, and fails if they change. Needs
# Debian 12 with its packages' mirror.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libnet-oauth2-authorizationserver-perl=0.28-2 libmoo-perl libtype-tiny-perl libexporter-tiny-perl \
    libclass-method-modifiers-perl librole-tiny-perl libsub-quote-perl libmodule-runtime-perl libtry-tiny-perl \
    libcrypt-jwt-perl libcryptx-perl libjson-perl >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PERL5LIB=$folder/root/usr/share/perl5:$folder/root/usr/lib/x86_64-linux-gnu/perl5/5.36

cat >errors.pl <<'PL'
use strict;
use warnings;
use Net::OAuth2::AuthorizationServer;

my $grant = Net::OAuth2::AuthorizationServer->new->auth_code_grant(
    clients => { app => { client_secret => 'secret', scopes => { read => 1, write => 1 } } });
my $uri = 'https://app.example/callback';

sub code {
    my $code = $grant->token(client_id => 'app', scopes => ['read'], type => 'auth', redirect_uri => $uri, user_id => 1);
    $grant->store_auth_code(auth_code => $code, client_id => 'app', redirect_uri => $uri, scopes => ['read']);
    return $code;
}

sub show {
    my ($name, $ok, $error) = @_;
    printf "%s: %s\n", $name, $ok ? 'accepted' : $error;
}

my %request = (client_id => 'app', client_secret => 'secret', redirect_uri => $uri);
show('code', $grant->verify_auth_code(%request, auth_code => code()));
show('wrong secret', $grant->verify_auth_code(%request, auth_code => code(), client_secret => 'wrong'));
for my $ttl (300, -1) {
    $grant->store_access_token(client_id => 'app', auth_code => code(), access_token => "access $ttl",
        refresh_token => "refresh $ttl", expires_in => $ttl, scopes => ['read']);
}
show('access token', $grant->verify_access_token(access_token => 'access 300', scopes => ['read']));
show('access token that has ended', $grant->verify_access_token(access_token => 'access -1', scopes => ['read']));
show('access token without the scope', $grant->verify_access_token(access_token => 'access 300', scopes => ['write']));
show('refresh with another scope', $grant->verify_access_token(access_token => 'refresh 300', scopes => ['write'],
    is_refresh_token => 1));
$grant->store_access_token(client_id => 'app', auth_code => code(), access_token => 'token', expires_in => 300, scopes => []);
show("header $_ token", $grant->verify_token_and_scope(auth_header => "$_ token", scopes => [])) for 'Bearer', 'bearer';
PL

seen=$(perl errors.pl)
printf '%s\n' "$seen"
[[ "$seen" == "code: accepted
wrong secret: invalid_grant
access token: accepted
access token that has ended: invalid_grant
access token without the scope: invalid_grant
refresh with another scope: invalid_grant
header Bearer token: accepted
header bearer token: invalid_request" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
