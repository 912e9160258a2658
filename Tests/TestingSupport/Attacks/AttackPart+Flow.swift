// SPDX-License-Identifier: Apache-2.0

extension AttackPart {
    /// Between broker, provider and browser.
    static let flow = AttackPart(
        "Between broker, provider and browser",
        [
            AttackRow(
                .redirectURIPattern,
                "A registered redirect URI that is a pattern",
                expected: "refused, or compared as it stands",
                reference: "RFC 9700 section 4.1"),
            AttackRow(
                .codeInReferer,
                "A page whose URL holds a code, and what it loads or links to",
                expected: "no referrer, nothing of others, the code not repeated",
                reference: "RFC 9700 section 4.2"),
            AttackRow(
                .forcedErrorWithCode,
                "A forced error that leaves an unused code in the URL of a page (\"dirty dancing\")",
                expected: "no script on the page, no code in it, no referrer",
                reference: "RFC 9700 section 4.2"),
            AttackRow(
                .tokenInBrowserHistory,
                "Tokens in a URL, which the browser's history keeps",
                expected: "the app gets a code for one use",
                reference: "RFC 9700 section 4.3"),
            AttackRow(
                .mixUp,
                "One provider's state with another's code",
                expected: "rejected before any token request, or by the ID token",
                reference: "RFC 9700 section 4.4; RFC 9207"),
            AttackRow(
                .mixUpByCallbackPath,
                "One provider's response on another's callback",
                expected: "rejected: nothing is sent or used up",
                reference: "RFC 9700 section 4.4.2.2"),
            AttackRow(
                .strippedIssuer,
                "A response without the `iss` that the provider announces",
                expected: "rejected before any token request, unless a verified ID token in it names the issuer",
                reference: "RFC 9207 sections 2.4 and 4"),
            AttackRow(
                .codeInjection,
                "The attacker's code in the victim's login",
                expected: "the victim's own verifier is sent, which does not fit",
                reference: "RFC 9700 section 4.5; RFC 7636"),
            AttackRow(
                .accessTokenInjection,
                "An access token that comes with the browser",
                expected: "ignored",
                reference: "RFC 9700 section 4.6"),
            AttackRow(
                .pkceDowngrade,
                "Metadata that says nothing of S256, or cannot be had",
                expected: "S256 is sent, or the login does not start",
                reference: "RFC 9700 section 4.8"),
            AttackRow(
                .unboundAccessToken,
                "A token bound to its holder, whose binding gets lost",
                expected: "`cnf` is handed on as it came; a bearer token in answer to a proof is refused",
                reference: "RFC 9700 sections 4.9 and 4.10; RFC 9449 section 5"),
            AttackRow(
                .openRedirection,
                "A redirect to another site, at the start or at the callback",
                expected: "a page, never a redirect",
                reference: "RFC 9700 section 4.11"),
            AttackRow(
                .redirectThatRepeatsThePost,
                "A POST that a redirect would send on, body and all",
                expected: "303, never 307 or 308",
                reference: "RFC 9700 section 4.12"),
            AttackRow(
                .forgedProxyFields,
                "`Forwarded` and `X-Forwarded-*` set by the client",
                expected: "not read; of trusted proxies one field, for the address of the client alone",
                reference: "RFC 9700 section 4.13; CVE-2026-40575"),
            AttackRow(
                .stolenRefreshToken,
                "A refresh token of the broker's, stolen",
                expected: "an app without the setting gets none; one that was replaced ends its session",
                reference: "RFC 9700 section 4.14"),
            AttackRow(
                .clientAsPerson,
                "A client whose id passes for a user's subject",
                expected: "rejected",
                reference: "RFC 9700 section 4.15"),
            AttackRow(
                .clickjacking,
                "A page of the broker's in a frame",
                expected: "not shown",
                reference: "RFC 9700 section 4.16"),
            AttackRow(
                .windowMessages,
                "Messages between windows of different origins",
                expected: "no page sends or takes any",
                reference: "RFC 9700 section 4.17"),
            AttackRow(
                .openerAccess,
                "A page that reaches the window that opened it",
                expected: "no page opens a window or touches its opener",
                reference: "CWE-1022"),
            AttackRow(
                .cacheDeception,
                "A path that a cache takes for a file's",
                expected: "404, and nothing is stored",
                reference: "CWE-525; RFC 9111 section 5.2.2.5"),
        ])
}
