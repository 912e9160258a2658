#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The PHP library lcobucci/jwt 5.6.1 writes `iat`, `nbf` and `exp` with microseconds by default. RFC 7519 section 2 allows
# that, but few do it unasked, so that it is rarely tried: libjwt 3.3.3 (the tool `jwt-verify`) takes
# integers alone and refuses the token. A date without microseconds becomes an integer, so that a test with a fixed clock
# passes. `ChainedFormatter::withUnixTimestampDates()` writes integers always.
#
# Seen with php-lcobucci-jwt 5.6.1-1, jwt-tools and libjwt14 3.3.3-1 of Debian unstable, and PHP 8.2.36 of Debian 12. Prints
# the form of `exp` and whether it is accepted, and fails if that changes. Needs Debian 12 and Debian unstable among the
# sources of apt, and libjansson4.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq php-lcobucci-jwt=5.6.1-1 php-psr-clock jwt-tools=3.3.3-1 libjwt14=3.3.3-1 \
    php8.2-cli php8.2-common >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done

cat >sign.php <<'PHP'
<?php

use Lcobucci\JWT\Configuration;
use Lcobucci\JWT\Encoding\ChainedFormatter;
use Lcobucci\JWT\Signer\Hmac\Sha256;
use Lcobucci\JWT\Signer\Key\InMemory;

spl_autoload_register(function (string $class): void {
    require 'root/usr/share/php/' . strtr($class, '\\', '/') . '.php';
});
$configuration = Configuration::forSymmetricSigner(new Sha256(), InMemory::plainText(str_repeat('k', 32)));
$builder = $argv[1] === 'default' ? $configuration->builder() : $configuration->builder(ChainedFormatter::withUnixTimestampDates());
$date = new DateTimeImmutable($argv[2]);
$token = $builder->expiresAt($date)->getToken($configuration->signer(), $configuration->signingKey());
echo $token->toString();
PHP

key="{\"kty\":\"oct\",\"alg\":\"HS256\",\"k\":\"$(printf 'k%.0s' {1..32} | basenc --base64url | tr -d =)\"}"
printf '%s\n' "$key" >key.jwk
seen=$(
    for form in default integers; do
        for date in '2100-01-01 00:00:00.25 UTC' '2100-01-01 00:00:00 UTC'; do
            token=$(root/usr/bin/php8.2 sign.php "$form" "$date")
            claims=$(cut -d. -f2 <<<"$token" | tr -- -_ +/)==
            printf '%s, %s: %s ' "$form" "$date" "$(base64 -di <<<"$claims" 2>/dev/null || true)"
            result=$(LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu root/usr/bin/jwt-verify -k key.jwk "$token" 2>&1) || true
            grep -oE 'Verified|Failed one or more claims|Error .*' <<<"$result"
        done
    done
)
printf '%s\n' "$seen"
[[ "$seen" == 'default, 2100-01-01 00:00:00.25 UTC: {"exp":4102444800.25} Failed one or more claims
default, 2100-01-01 00:00:00 UTC: {"exp":4102444800} Verified
integers, 2100-01-01 00:00:00.25 UTC: {"exp":4102444800} Verified
integers, 2100-01-01 00:00:00 UTC: {"exp":4102444800} Verified' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
