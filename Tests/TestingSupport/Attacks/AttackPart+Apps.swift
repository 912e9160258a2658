// SPDX-License-Identifier: Apache-2.0

extension AttackPart {
    /// Redirect URIs and the hand-off to the app.
    static let apps = AttackPart(
        "Redirect URIs and the hand-off to the app",
        [
            AttackRow(
                .nearlyARedirectURI,
                "A redirect URI that nearly is one of the app's: user information, backslash, fragment, another port",
                expected: "rejected: compared byte by byte",
                reference: "RFC 9700 section 4.1; CVE-2026-7504"),
            AttackRow(
                .hostSuffix,
                "A host that only ends like the app's",
                expected: "rejected",
                reference: "CVE-2021-21291"),
            AttackRow(
                .hostileScheme,
                "A scheme that browsers or systems act on, as an app's own",
                expected: "cannot be registered",
                reference: "RFC 8252 section 7.1; RFC 9700 section 4.1"),
            AttackRow(
                .stolenAppCode,
                "The app's code redeemed twice, by another app, or without its verifier",
                expected: "one redemption, by the app that started, with the verifier",
                reference: "RFC 6749 section 4.1.3; RFC 7636 section 4.6"),
            AttackRow(
                .markupInClaims,
                "Markup in a claim, to break out of a page",
                expected: "no claim stands in a page",
                reference: "CWE-79"),
            AttackRow(
                .splitHeaderFields,
                "CR, LF or NUL in what reaches a header field",
                expected: "refused, or escaped",
                reference: "CWE-113; CVE-2022-3215"),
        ])
}
