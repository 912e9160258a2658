// SPDX-License-Identifier: Apache-2.0

extension AttackPart {
    /// Claims of ID tokens.
    static let tokens = AttackPart(
        "Claims of ID tokens",
        [
            AttackRow(
                .impossibleTimes,
                "A time that is text, negative, huge or not a number",
                expected: "rejected, and nothing traps",
                reference: "RFC 7519 section 2"),
            AttackRow(
                .missingOrOldTimes,
                "No `exp`, no `iat`, an `iat` from the future or too long ago",
                expected: "rejected",
                reference: "OpenID Connect Core 1.0 sections 2 and 3.1.3.7"),
            AttackRow(
                .expiredToken,
                "An ID token that expired a second before the skew allows",
                expected: "rejected",
                reference: "OpenID Connect Core 1.0 section 3.1.3.7; RFC 7519 section 4.1.4"),
            AttackRow(
                .wrongAudience,
                "Another audience, more of them, or another `azp`",
                expected: "rejected unless the others are trusted",
                reference: "OpenID Connect Core 1.0 section 3.1.3.7; RFC 8725 section 3.9"),
            AttackRow(
                .nearlyTheIssuer,
                "An issuer that differs by a slash, case, scheme or path",
                expected: "rejected; Google's two spellings are one",
                reference: "OpenID Connect Core 1.0 section 3.1.3.7; RFC 8725 section 3.8"),
            AttackRow(
                .foreignTenant,
                "A token of a tenant that is not listed, under an issuer with a template",
                expected: "rejected",
                reference: "Microsoft Entra, \"Validate the issuer\"; RFC 8725 section 3.8"),
            AttackRow(
                .replayedNonce,
                "A `nonce` that is absent, another, or not hashed as it was sent",
                expected: "rejected",
                reference: "OpenID Connect Core 1.0 sections 3.1.3.7 and 15.5.2"),
            AttackRow(
                .impossibleSubject,
                "`sub` absent, empty, too long, or not a string",
                expected: "rejected",
                reference: "OpenID Connect Core 1.0 section 2"),
            AttackRow(
                .tokenOfAnotherKind,
                "A logout token, an access token, an assertion or a notification as an ID token",
                expected: "rejected",
                reference: "RFC 8725 sections 3.11 and 3.12"),
            AttackRow(
                .tokenOfAnotherClient,
                "An ID token that the same issuer gave to another client or login",
                expected: "rejected",
                reference: "OpenID Connect Core 1.0 section 3.1.3.7; RFC 9700 section 4.6"),
            AttackRow(
                .wrongTokenHash,
                "`at_hash`, `c_hash` or `s_hash` of another value, length or hash function",
                expected: "rejected",
                reference: "OpenID Connect Core 1.0 sections 3.1.3.8 and 3.3.2.10"),
        ])
}
