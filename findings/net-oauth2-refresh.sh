#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Perl's Net::OAuth2 0.67 loses the new tokens of a refresh whose answer has no `expires_in`. RFC 6749 section 5.1 only
# recommends it, and the first token of the same provider, also without it, is taken. The refresh dies after the provider
# has answered, and the object keeps the old refresh token: where refresh tokens rotate, the next try sends one that is
# used up, which a provider may take for theft and end the sign-in.
#
# Seen with libnet-oauth2-perl 0.67-1 of Debian 12. Prints what is sent and kept, and fails if that changes. Needs Debian
# 12 with its packages' mirror.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libnet-oauth2-perl=0.67-1 libwww-perl libhttp-message-perl liburi-perl libjson-maybexs-perl \
    libhttp-date-perl libencode-locale-perl libio-html-perl liblwp-mediatypes-perl libtimedate-perl libtry-tiny-perl \
    libclone-perl >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PERL5LIB=$folder/root/usr/share/perl5:$folder/root/usr/lib/x86_64-linux-gnu/perl5/5.36

cat >refresh.pl <<'PL'
use strict;
use warnings;
use Net::OAuth2::Profile::WebServer;

# Answers instead of a provider that rotates refresh tokens.
package Provider {
    use parent 'LWP::UserAgent';
    our ($count, $more) = (0, '');

    sub request {
        my ($self, $request) = @_;
        my %form = URI->new('?' . $request->content)->query_form;
        $count++;
        printf "sent: %s\n", $form{refresh_token} // $form{code};
        HTTP::Response->new(200, 'OK', ['Content-Type' => 'application/json'],
            qq({"access_token":"access-$count","token_type":"Bearer","refresh_token":"refresh-$count"$more}));
    }
}

for my $more ('', ',"expires_in":3600') {
    ($Provider::count, $Provider::more) = (0, $more);
    printf "%s expires_in\n", $more ? 'with' : 'without';
    my $profile = Net::OAuth2::Profile::WebServer->new(client_id => 'app', client_secret => 'secret',
        site => 'https://op.example', access_token_path => '/token', redirect_uri => 'https://app.example/callback',
        user_agent => Provider->new);
    my $token = $profile->get_access_token('code');
    for (1 .. 2) {
        eval { $token->refresh; print "refreshed\n"; 1 } or print 'died: ', $@ =~ s/ at .*//sr, "\n";
        printf "kept: %s\n", $token->refresh_token;
    }
}
PL

seen=$(perl refresh.pl)
printf '%s\n' "$seen"
[[ "$seen" == "without expires_in
sent: code
sent: refresh-1
died: no expires_in found in refresh data
kept: refresh-1
sent: refresh-1
died: no expires_in found in refresh data
kept: refresh-1
with expires_in
sent: code
sent: refresh-1
refreshed
kept: refresh-2
sent: refresh-2
refreshed
kept: refresh-3" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
