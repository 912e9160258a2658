#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Perl's Crypt::JWT 0.034 refuses an audience that is an array if `verify_aud` is text or a pattern. RFC 7519 section 4.1.3
# has an array as the general case, and text as the special one for a single audience. The whole array is compared with
# the expected text. What works there is a function that gets the array; in 0.038 text and patterns match a member, and the
# function is called with each member, so that a function written for arrays refuses the same token after an update.
#
# Seen with libcrypt-jwt-perl 0.034-1 and libcryptx-perl 0.077-1+b1 of Debian 12 on amd64 (and with 0.038-1 of Debian
# unstable). Prints what is accepted, and fails if that changes. Needs Debian 12 with its packages' mirror.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libcrypt-jwt-perl=0.034-1 libcryptx-perl=0.077-1+b1 libjson-perl=4.10000-1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PERL5LIB=$folder/root/usr/share/perl5:$folder/root/usr/lib/x86_64-linux-gnu/perl5/5.36

cat >audience.pl <<'PL'
use strict;
use warnings;
use Crypt::JWT qw(decode_jwt encode_jwt);

my $key = 'k' x 32;
my @expected = (
    text => 'app', pattern => qr/^app$/,
    'function for arrays' => sub { ref $_[0] eq 'ARRAY' ? scalar grep { $_ eq 'app' } @{ $_[0] } : 0 },
);
while (my ($name, $check) = splice @expected, 0, 2) {
    for my $audience ('app', ['app'], ['app', 'api']) {
        my $token = encode_jwt(payload => { aud => $audience }, alg => 'HS256', key => $key);
        my $result = eval { decode_jwt(token => $token, key => $key, verify_aud => $check); 'accepted' } // $@;
        $result =~ s/ at .*//s;
        printf "%s, %s: %s\n", $name, ref $audience ? 'array of ' . @$audience : 'text', $result;
    }
}
PL

seen=$(perl audience.pl)
printf '%s\n' "$seen"
[[ "$seen" == "text, text: accepted
text, array of 1: JWT: aud claim scalar check failed
text, array of 2: JWT: aud claim scalar check failed
pattern, text: accepted
pattern, array of 1: JWT: aud claim re check failed
pattern, array of 2: JWT: aud claim re check failed
function for arrays, text: JWT: aud claim code check failed
function for arrays, array of 1: accepted
function for arrays, array of 2: accepted" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
