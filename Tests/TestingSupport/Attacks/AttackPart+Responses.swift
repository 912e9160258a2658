// SPDX-License-Identifier: Apache-2.0

extension AttackPart {
    /// Authorization responses and their parameters.
    static let responses = AttackPart(
        "Authorization responses, and what stands in them",
        [
            AttackRow(
                .missingOrDuplicateState,
                "A response without `state`, with an empty one, or with two",
                expected: "rejected before anything is asked of the provider",
                reference: "RFC 6749 sections 3.1 and 10.12"),
            AttackRow(
                .duplicateResponseParameter,
                "A response with `code`, `iss`, `id_token` or another parameter twice",
                expected: "rejected",
                reference: "RFC 6749 section 3.1"),
            AttackRow(
                .codeBesideError,
                "A response with both `error` and `code`",
                expected: "an error: the code is not redeemed",
                reference: "RFC 6749 section 4.1.2.1"),
            AttackRow(
                .impossibleCode,
                "A code that is empty, too long, or not printable ASCII",
                expected: "rejected, never sent to the token endpoint",
                reference: "RFC 6749 appendix A.11"),
            AttackRow(
                .hostileProviderError,
                "An error whose description holds markup, control characters or a log line",
                expected: "the app gets the error code alone; nothing is shown or logged as it came",
                reference: "RFC 6749 section 4.1.2.1; CWE-79, CWE-117"),
            AttackRow(
                .silentLoginLoop,
                "`login_required` and the like, to make the broker ask again and again",
                expected: "told to the app once",
                reference: "OpenID Connect Core 1.0 section 3.1.2.6"),
            AttackRow(
                .ambiguousEncoding,
                "Parameters with bad escapes, overlong UTF-8, NUL, `;` or two layers of encoding",
                expected: "decoded once and strictly, else rejected",
                reference: "RFC 3986 section 2.1; RFC 3629 section 10"),
            AttackRow(
                .oversizedForm,
                "A body that is too long or never ends, or a form of very many parameters",
                expected: "rejected within bounded memory",
                reference: "RFC 9110 section 15.5.14; CWE-770"),
            AttackRow(
                .wrongFormContentType,
                "A form sent under another content type",
                expected: "415",
                reference: "RFC 9110 section 15.5.16"),
            AttackRow(
                .responseModeDowngrade,
                "A response in another mode than the one asked for",
                expected: "rejected, and the login is not used up",
                reference: "OAuth 2.0 Multiple Response Types section 2.1; OAuth 2.0 Form Post Response Mode"),
            AttackRow(
                .forgedSignedResponse,
                "Where signed responses are asked for: one of another issuer or client, expired, signed by another key or "
                    + "by none, or a plain one",
                expected: "rejected before the code is sent; the sealed state decides whose keys count",
                reference: "JARM section 2.4"),
            AttackRow(
                .parametersInQueryAndBody,
                "Parameters in both the query and the body",
                expected: "rejected",
                reference: "OAuth 2.0 Form Post Response Mode section 2; CWE-235"),
            AttackRow(
                .otherMethodOnCallback,
                "HEAD, OPTIONS or PUT on the callback",
                expected: "nothing is used up; 405 where the method is not served",
                reference: "RFC 9110 sections 9.2.1 and 15.5.6"),
            AttackRow(
                .prefetchedCallback,
                "A browser or a link scanner that fetches the callback ahead of the user",
                expected: "nothing is used up",
                reference: "Fetch, `Sec-Purpose`; RFC 9110 section 9.2.1"),
            AttackRow(
                .nearlyTheCallbackPath,
                "A path that a proxy or a file system would take for the callback",
                expected: "404: the path is compared as received",
                reference: "CVE-2026-3872; GHSA-pxq7-h93f-9jrg"),
            AttackRow(
                .spoofedHost,
                "Another host in `Host`, two of them, none, or another authority in the target",
                expected: "400 or 421, never reflected",
                reference: "RFC 9110 section 7.2; RFC 9112 section 3.2"),
        ])
}
