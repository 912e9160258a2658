#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Perl's LWP::Authen::OAuth2 0.20 never refreshes early. Its manual: `set_early_refresh_time`, 300 by default, is how many
# seconds before the end of a token `should_refresh` starts turning true. The limit for short tokens takes half of what is
# left instead of half of the lifetime, so that it is always behind: `should_refresh` is false until the token has ended,
# whatever is set. A job that asks it before long work starts with a token of a second. And `set_error_handler` keeps the
# number of its arguments for the handler: the first error, as `invalid_grant`, is a Perl error about a subroutine "2".
#
# Seen with liblwp-authen-oauth2-perl 0.20-1 of Debian 12. Prints both, and fails if they change. Needs Debian 12 with its
# packages' mirror.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq liblwp-authen-oauth2-perl=0.20-1 libwww-perl libhttp-message-perl liburi-perl libjson-perl \
    libhttp-date-perl libencode-locale-perl libio-html-perl liblwp-mediatypes-perl libtimedate-perl libtry-tiny-perl \
    libclone-perl >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PERL5LIB=$folder/root/usr/share/perl5:$folder/root/usr/lib/x86_64-linux-gnu/perl5/5.36

cat >refresh.pl <<'PL'
use strict;
use warnings;
use LWP::Authen::OAuth2;

# Answers instead of a provider: a token of an hour, and then that the refresh token has ended.
package Provider {
    use parent 'LWP::UserAgent';

    sub request {
        my ($self, $request) = @_;
        my $json = $request->content =~ /refresh_token/ ? '{"error":"invalid_grant"}'
            : '{"access_token":"access","token_type":"Bearer","refresh_token":"refresh","expires_in":3600}';
        HTTP::Response->new(200, 'OK', ['Content-Type' => 'application/json'], $json);
    }
}

for my $early (60, 300, 1500) {
    my $oauth2 = LWP::Authen::OAuth2->new(client_id => 'app', client_secret => 'secret', user_agent => Provider->new,
        authorization_endpoint => 'https://op.example/authorize', token_endpoint => 'https://op.example/token');
    $oauth2->request_tokens(code => 'code');
    $oauth2->set_early_refresh_time($early);
    my @due;
    for my $left (3600, 1200, 200, 30, 5, -1) {
        $oauth2->access_token->{create_time} = time - 3600 + $left;
        push @due, "$left " . ($oauth2->should_refresh ? 'yes' : 'no');
    }
    printf "%s before the end: seconds left and refresh: %s\n", $early, join ', ', @due;
    next if $early < 1500;
    for my $way ('none', 'set') {
        $oauth2->set_error_handler(sub { print "handler: $_[0]\n" }) if $way eq 'set';
        eval { $oauth2->refresh_access_token; 1 } or print "$way: ", $@ =~ s/ (?:at|while) .*//sr, "\n";
    }
}
PL

seen=$(perl refresh.pl)
printf '%s\n' "$seen"
[[ "$seen" == "60 before the end: seconds left and refresh: 3600 no, 1200 no, 200 no, 30 no, 5 no, -1 yes
300 before the end: seconds left and refresh: 3600 no, 1200 no, 200 no, 30 no, 5 no, -1 yes
1500 before the end: seconds left and refresh: 3600 no, 1200 no, 200 no, 30 no, 5 no, -1 yes
none: OAuth2 error: invalid_grant
set: Can't use string (\"2\") as a subroutine ref" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
