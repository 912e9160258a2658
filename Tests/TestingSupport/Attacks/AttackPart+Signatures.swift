// SPDX-License-Identifier: Apache-2.0

extension AttackPart {
    /// Signatures, keys and the form of tokens.
    static let signatures = AttackPart(
        "Signatures, keys and the form of tokens",
        [
            AttackRow(
                .unsignedToken,
                "`alg` is `none` in any spelling, absent, or not known; an empty signature",
                expected: "rejected",
                reference: "RFC 8725 section 3.2; CVE-2015-9235; GHSA-88q6-jcjg-hvmw"),
            AttackRow(
                .algorithmConfusion,
                "An HMAC keyed with the provider's public key",
                expected: "rejected: a key has one kind of algorithm",
                reference: "RFC 8725 section 2.1; CVE-2016-10555; CVE-2024-37568"),
            AttackRow(
                .unregisteredSecretSignature,
                "An HMAC keyed with the client secret that was not registered, or with a short one",
                expected: "rejected",
                reference: "OpenID Connect Core 1.0 section 10.1; RFC 7518 section 3.2"),
            AttackRow(
                .unexpectedAlgorithm,
                "A good signature by an algorithm that was not registered or announced",
                expected: "rejected",
                reference: "RFC 8725 section 3.1"),
            AttackRow(
                .keyInHeader,
                "The attacker's key in `jwk`, `jku`, `x5u` or `x5c`",
                expected: "not trusted, and nothing is fetched",
                reference: "RFC 8725 section 3.10; CVE-2018-0114; CVE-2026-27962"),
            AttackRow(
                .hostileKeyID,
                "A `kid` that is a path, a query, very long, or not a string",
                expected: "an opaque text of at most 1 KB, else rejected",
                reference: "RFC 8725 section 3.10; RFC 7515 section 4.1.4"),
            AttackRow(
                .unknownKeyFlood,
                "Thousands of tokens with a `kid` of no key",
                expected: "one fetch of the keys, then one a cooldown",
                reference: "OpenID Connect Core 1.0 section 10.1.1; CWE-406"),
            AttackRow(
                .publishedPrivateKey,
                "A key set with private or symmetric keys",
                expected: "such a key serves no more",
                reference: "RFC 7517 section 9.2"),
            AttackRow(
                .hostileKeySet,
                "A key set with unknown, weak or broken keys, or far too many",
                expected: "bad keys are skipped, good ones serve; 100 keys and 512 KB at most",
                reference: "RFC 7517 section 5; RFC 7518 section 3.3"),
            AttackRow(
                .degenerateECDSASignature,
                "An ECDSA signature of zero, of the order, of another length, or in DER",
                expected: "rejected",
                reference: "RFC 7518 section 3.4; CVE-2022-21449"),
            AttackRow(
                .wrongKeyForAlgorithm,
                "An algorithm with a key of another type or curve",
                expected: "rejected",
                reference: "RFC 8725 section 3.4; RFC 7518 section 3.4"),
            AttackRow(
                .decoyKeys,
                "Keys of other kinds under the same `kid`",
                expected: "the right one is found",
                reference: "FAPI 2.0 Security Profile section 5.4.3"),
            AttackRow(
                .unknownCriticalHeader,
                "`crit` in any form, or `b64`",
                expected: "rejected",
                reference: "RFC 7515 section 4.1.11; RFC 7797; CVE-2025-59420"),
            AttackRow(
                .duplicateJSONMember,
                "A header member or a claim twice",
                expected: "rejected",
                reference: "RFC 7515 section 4; RFC 7519 section 4; RFC 8259 section 4"),
            AttackRow(
                .malformedCompactForm,
                "Too many segments, a megabyte of header, whitespace, padding, unused bits",
                expected: "rejected in linear time",
                reference: "RFC 7515 sections 2 and 5.2; CVE-2025-30204; CVE-2025-27144"),
            AttackRow(
                .hostileJSON,
                "JSON nested thousands deep, invalid UTF-8, lone surrogates",
                expected: "rejected without recursion",
                reference: "RFC 8259 sections 8.1, 8.2 and 9; RFC 8725 section 3.7"),
            AttackRow(
                .unsignedTokenInsideEncrypted,
                "An encrypted token whose inside is not signed",
                expected: "rejected",
                reference: "RFC 7519 section 11.2; CVE-2026-29000"),
            AttackRow(
                .compressedToken,
                "An encrypted token that decompresses to a gigabyte",
                expected: "`zip` is refused",
                reference: "RFC 8725 section 3.6; CVE-2024-28180"),
            AttackRow(
                .expensiveKeyDerivation,
                "PBES2 with billions of rounds",
                expected: "PBES2 is refused",
                reference: "RFC 7518 section 8.8; CWE-400"),
            AttackRow(
                .paddingOracle,
                "RSA1_5, or errors that tell how decrypting failed",
                expected: "refused; one error for all",
                reference: "RFC 7516 sections 11.4 and 11.5"),
        ])
}
