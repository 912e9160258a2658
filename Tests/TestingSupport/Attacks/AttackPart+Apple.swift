// SPDX-License-Identifier: Apache-2.0

extension AttackPart {
    /// Sign in with Apple.
    static let apple = AttackPart(
        "Sign in with Apple",
        [
            AttackRow(
                .appleClientSecret,
                "A client secret that is not exactly Apple's, or one signature for each request",
                expected: "made to Apple's rules, once for half its life",
                reference: "Apple, \"Creating a client secret\""),
            AttackRow(
                .applePrivateKey,
                "A file that is not the `.p8` key, and a key that is replaced or withdrawn",
                expected: "refused with the reason; no sign-in is lost",
                reference: "Apple, \"Creating a client secret\"; RFC 5958"),
            AttackRow(
                .unsignedAppleUser,
                "Another email, or markup, in the unsigned field `user`",
                expected: "a display name at most; the address is the ID token's",
                reference: "Apple, \"Configuring your webpage for Sign in with Apple\"; aspnet-contrib issue 713"),
            AttackRow(
                .textualAppleBooleans,
                "`email_verified` and `is_private_email` as text",
                expected: "read as what they say",
                reference: "Apple, \"Authenticating users with Sign in with Apple\""),
            AttackRow(
                .missingAppleNonce,
                "A token without its nonce that says there can be none",
                expected: "accepted only where the app may do without",
                reference: "Apple, \"Authenticating users with Sign in with Apple\""),
            AttackRow(
                .appleAudienceSwap,
                "A bundle id's token in the web flow, or the Services ID's as a native credential",
                expected: "rejected",
                reference: "OpenID Connect Core 1.0 section 3.1.3.7; laravel/socialite issue 1491"),
            AttackRow(
                .appleCancellation,
                "A user who cancels at Apple",
                expected: "the app is told `access_denied`; Apple is asked nothing",
                reference: "Apple, \"Incorporating Sign in with Apple into other platforms\""),
            AttackRow(
                .forgedAppleNotification,
                "A notification that is forged, for others, too long, or sent again",
                expected: "refused, or handed on once",
                reference: "Apple, \"Processing changes for Sign in with Apple accounts\"; RFC 8417"),
            AttackRow(
                .foreignAppleRevocation,
                "Revoking another user's or another app's token",
                expected: "refused; the app's own is revoked with the client that got it",
                reference: "Apple, \"Revoke tokens\"; RFC 7009"),
            AttackRow(
                .appleTransfer,
                "A transfer to another team under a wrong identifier or client",
                expected: "refused, or found by the transfer identifier alone",
                reference: "Apple, \"Transferring your apps and users to another team\""),
            AttackRow(
                .appleRealUserStatus,
                "A status of the real user that is not known",
                expected: "kept as a number, never a trap",
                reference: "Apple, \"Authenticating users with Sign in with Apple\""),
            AttackRow(
                .appleDomainAssociation,
                "Another file under the path by which Apple proves a domain",
                expected: "the configured bytes, as plain text, on that path alone",
                reference: "Apple, \"Configuring your environment for Sign in with Apple\"; RFC 8615"),
            AttackRow(
                .appleScopesInQuery,
                "Name and email asked for in another mode than `form_post`",
                expected: "refused when the configuration is read",
                reference: "Apple, \"Incorporating Sign in with Apple into other platforms\""),
            AttackRow(
                .appleFrontChannelToken,
                "An ID token beside the code that lies, or is another user's",
                expected: "rejected before the code is exchanged, or by the second token",
                reference: "OpenID Connect Core 1.0 sections 3.3.2.12 and 3.3.3.6"),
        ])
}
