// SPDX-License-Identifier: Apache-2.0

extension AttackPart {
    /// Logins, their state and their cookies.
    static let logins = AttackPart(
        "Logins, their state and their cookies",
        [
            AttackRow(
                .replayedCallback,
                "The same callback twice",
                expected: "no second token request, never a 5xx",
                reference: "RFC 9700 section 4.2.4; RFC 6749 section 10.5"),
            AttackRow(
                .loginCSRF,
                "A callback brought by a browser that did not start the login",
                expected: "rejected: no token request, no session",
                reference: "RFC 9700 section 4.7; CVE-2022-39222; GHSA-fg6f-75jq-6523"),
            AttackRow(
                .expiredState,
                "A callback after the login has expired",
                expected: "rejected, with a way to start again",
                reference: "RFC 9700 section 4.7; CWE-613"),
            AttackRow(
                .interleavedLogins,
                "Many logins of one browser that finish in another order",
                expected: "each succeeds",
                reference: "CWE-362"),
            AttackRow(
                .cookieBomb,
                "Hundreds of logins started and never finished, or hundreds of foreign cookies",
                expected: "cookies and memory are bounded",
                reference: "CVE-2021-22119; RFC 6265 section 6.1"),
            AttackRow(
                .cookieTossing,
                "A cookie of a login's or a sign-out's name set by a sibling domain",
                expected: "rejected: neither cookie is taken",
                reference: "RFC 6265 section 8.6"),
            AttackRow(
                .loginCookieOfAnotherProvider,
                "The cookie of one provider's login on another's callback",
                expected: "rejected",
                reference: "GHSA-x445-f3h2-j279"),
            AttackRow(
                .sessionFixation,
                "An id or a cookie set by the attacker before the login starts",
                expected: "both are made anew",
                reference: "GHSA-f24x-5g9q-753f; CWE-384"),
            AttackRow(
                .stateFixation,
                "A `state` known to the attacker, given to the victim's start",
                expected: "the state sent to the provider is always of the broker's own making",
                reference: "RFC 9700 section 4.7.1; CWE-384"),
            AttackRow(
                .crossSiteFormPost,
                "A cross-site form post, on which browsers send no `SameSite=Lax` cookie",
                expected: "completes by a `SameSite=None` cookie of the login alone",
                reference: "OAuth 2.0 Form Post Response Mode"),
            AttackRow(
                .withheldCookie,
                "A cross-site form post in a browser that withholds the login's cookie",
                expected: "sent once more from our own origin; still no sign-in without the cookie",
                reference: "OAuth 2.0 Form Post Response Mode; RFC 9700 section 4.7"),
            AttackRow(
                .tamperedState,
                "A state with changed bits, cut short, or sealed with a withdrawn key",
                expected: "rejected",
                reference: "RFC 6749 section 10.12; CWE-353"),
            AttackRow(
                .callbackAtAnotherReplica,
                "A callback that reaches another replica than the start did",
                expected: "succeeds where the sealing key is shared",
                reference: "CWE-353"),
            AttackRow(
                .clockThatGoesBack,
                "A clock that goes back between start and callback, or while something waits",
                expected: "nothing traps or stays closed; a state from the future is rejected",
                reference: "RFC 7519 section 4.1.5; CWE-367"),
            AttackRow(
                .thirdPartyStart,
                "Scopes, issuers and targets added to a start by a third party",
                expected: "ignored",
                reference: "OpenID Connect Core 1.0 section 4"),
            AttackRow(
                .stateOracle,
                "Telling an expired state from an unknown one by the response",
                expected: "the same response but for its words",
                reference: "CWE-204"),
            AttackRow(
                .parallelCallbacks,
                "One callback many times at once",
                expected: "one token request",
                reference: "RFC 6749 section 10.5; CWE-362"),
        ])
}
