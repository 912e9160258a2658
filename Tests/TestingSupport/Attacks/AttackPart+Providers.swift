// SPDX-License-Identifier: Apache-2.0

extension AttackPart {
    /// Providers that misbehave, and the way to them.
    static let providers = AttackPart(
        "Providers that misbehave, and the way to them",
        [
            AttackRow(
                .hostileDiscovery,
                "Metadata of another issuer, endpoints on http or on private addresses, redirects, endless bodies",
                expected: "refused, and no byte goes to an address that is not allowed",
                reference: "OpenID Connect Discovery 1.0 section 4.3; CWE-918"),
            AttackRow(
                .hostileTokenResponse,
                "Token responses that are cut, late, contradictory or without an ID token",
                expected: "the sign-in ends; an empty scope is not the requested one",
                reference: "OpenID Connect Core 1.0 section 3.1.3.5; CVE-2022-31690"),
            AttackRow(
                .codeSentTwice,
                "A failure that tempts the client to send its code again",
                expected: "a code is sent once",
                reference: "RFC 6749 sections 4.1.2 and 10.5"),
            AttackRow(
                .staleProviderDocuments,
                "A provider that is down while its keys and metadata age",
                expected: "the known ones serve for a bounded time",
                reference: "RFC 5861 section 4"),
            AttackRow(
                .providerDownAtStart,
                "A provider that is down when the broker starts",
                expected: "the broker starts, and recovers by itself",
                reference: "RFC 9110 section 15.6.4"),
            AttackRow(
                .secretsInLogs,
                "Reading secrets from logs, errors and descriptions",
                expected: "none stands there",
                reference: "RFC 9700 section 4.3; CWE-532"),
            AttackRow(
                .proxyInTheWay,
                "A proxy that refuses or is gone, and a new bundle of authorities",
                expected: "no request goes around the proxy; the bundle counts at once",
                reference: "RFC 9110 section 9.3.6"),
            AttackRow(
                .untrustedCertificate,
                "A certificate that is expired, weak, of another host or of another authority",
                expected: "no request is sent",
                reference: "RFC 9525; RFC 9325"),
            AttackRow(
                .providerClockSkew,
                "A provider whose clock is minutes off",
                expected: "accepted within the skew, else named as that",
                reference: "RFC 7519 section 4.1.4"),
            AttackRow(
                .wrongMediaType,
                "A response of another media type or encoding, or with a byte order mark",
                expected: "rejected",
                reference: "RFC 8259 section 8.1; OpenID Connect Core 1.0 section 5.3.2"),
        ])
}
