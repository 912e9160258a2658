// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// Whose the token is, and about whom.
extension RefusedTokens {
    /// OpenID Connect Core 1.0 section 3.1.3.7, item 2.
    static let issuer: [TokenChange] =
        TokenChange.each(
            "issuer", claim: "iss",
            [
                nil, .null, "", 1, ["https://issuer.example"], "https://issuer.example/", "https://Issuer.example",
                "HTTPS://issuer.example", "http://issuer.example", "https://issuer.example1",
                "https://issuer.example/path", "https://issuer.example:443", "issuer.example",
                " https://issuer.example",
            ]) + issuerPairs

    private static let issuerPairs: [TokenChange] = [
        TokenChange("issuer", "the slash at the end is missing") {
            $0.expectation.issuer = "https://issuer.example/"
        },
        TokenChange("issuer", "Google's short form, without the rule for it") {
            $0.expectation.issuer = "https://accounts.google.com"
            $0.claims["iss"] = "accounts.google.com"
        },
        // U+212A is the Kelvin sign: Swift's == takes it for a K.
        TokenChange("issuer", "a character that only counts as the same") {
            $0.expectation.issuer = "https://issuer.example/K"
            $0.claims["iss"] = "https://issuer.example/\u{212A}"
        },
    ]

    /// What Google's two spellings are not.
    static let issuerSpelling: [TokenChange] = otherSpellings.map { value in
        TokenChange("issuer", "Google's rule, iss is \(TokenChange.text(value))") {
            $0.expectation.issuerRule = .google
            $0.claims["iss"] = value
        }
    }

    private static let otherSpellings: [JSONValue?] = [
        nil, .null, "", 1, ["https://accounts.google.com"], "https://accounts.google.com/",
        "http://accounts.google.com",
        "Accounts.google.com", "accounts.google.com.", "accounts.google.com/", "https://accounts.google.com:443",
        "evil-accounts.google.com", "https://issuer.example",
    ]

    /// The issuer of a tenant: a template and a list.
    static let issuerTemplate: [TokenChange] = otherTenants + withoutPlaceholder

    private static let otherTenants: [TokenChange] = [
        inTenant("a tenant that is not listed", "other", iss: "https://login.example/other/v2.0"),
        inTenant("iss of another tenant", "tenant", iss: "https://login.example/second/v2.0"),
        inTenant("iss of a tenant that is not listed", "tenant", iss: "https://login.example/other/v2.0"),
        inTenant("iss is the template itself", "tenant", iss: "https://login.example/{tenantid}/v2.0"),
        inTenant("tid is the placeholder", "{tenantid}", iss: "https://login.example/{tenantid}/v2.0"),
        inTenant("no tid", nil, iss: "https://login.example/tenant/v2.0"),
        inTenant("tid is empty", "", iss: "https://login.example//v2.0"),
        inTenant("tid is a list", ["tenant"], iss: "https://login.example/tenant/v2.0"),
        inTenant("tid in other case", "Tenant", iss: "https://login.example/Tenant/v2.0"),
        inTenant("iss in other case", "tenant", iss: "https://login.example/Tenant/v2.0"),
        inTenant("a slash at the end", "tenant", iss: "https://login.example/tenant/v2.0/"),
        inTenant("the version before", "tenant", iss: "https://login.example/tenant/"),
        inTenant("another host", "tenant", iss: "https://login.other.example/tenant/v2.0"),
        inTenant("http", "tenant", iss: "http://login.example/tenant/v2.0"),
        inTenant("no iss", "tenant", iss: nil),
        inTenant("no tenant is listed", "tenant", iss: "https://login.example/tenant/v2.0", tenants: []),
        inTenant(
            "a tenant that only counts as the same", "\u{212A}", iss: "https://login.example/\u{212A}/v2.0"),
    ]

    private static let withoutPlaceholder: [TokenChange] = [
        TokenChange("issuer", "an issuer without the placeholder, of another tenant") {
            $0.expectation.issuerRule = .rule(forIssuer: TokenUnderTest.issuer, tenants: ["tenant"])
            $0.claims["tid"] = "other"
        },
        TokenChange("issuer", "an issuer without the placeholder, no tid") {
            $0.expectation.issuerRule = .rule(forIssuer: TokenUnderTest.issuer, tenants: ["tenant"])
        },
    ]

    private static func inTenant(
        _ description: String, _ tenant: JSONValue?, iss: JSONValue?, tenants: [String] = ["tenant", "second", "K"]
    ) -> TokenChange {
        TokenChange("issuer", description) {
            $0.expectation.issuerRule = .rule(
                forIssuer: "https://login.example/{tenantid}/v2.0", tenants: tenants)
            $0.claims["tid"] = tenant
            $0.claims["iss"] = iss
        }
    }

    /// OpenID Connect Core 1.0 section 3.1.3.7, items 3 to 5.
    static let audience: [TokenChange] =
        TokenChange.each(
            "audience", claim: "aud",
            [
                nil, .null, "", 1, true, [:], [], "client1", "Client", "other", ["other"], ["client", "other"],
                ["other", "client"], ["client", "client"], [["client"]], [1], ["client", 1], "client other",
            ]) + audiencePairs

    private static let audiencePairs: [TokenChange] = [
        TokenChange("audience", "two audiences, the client the authorized party, the other not trusted") {
            $0.claims["aud"] = ["client", "other"]
            $0.claims["azp"] = "client"
        },
        TokenChange("audience", "another client's token of the same issuer") {
            $0.claims["aud"] = "other-client"
        },
        TokenChange("audience", "another client's token, this client its authorized party") {
            $0.claims["aud"] = ["other-client"]
            $0.claims["azp"] = "client"
        },
        TokenChange("audience", "a character that only counts as the same") {
            $0.expectation.clientID = "client-K"
            $0.claims["aud"] = "client-\u{212A}"
        },
        TokenChange("audience", "a list of a character that only counts as the same") {
            $0.expectation.clientID = "client-K"
            $0.claims["aud"] = ["client-\u{212A}"]
        },
    ]

    /// OpenID Connect Core 1.0 section 3.1.3.7, items 3 to 5.
    static let trustedAudience: [TokenChange] = [
        trusting("the other is trusted, and there is no azp", aud: ["client", "other"], azp: nil),
        trusting("the client second, and there is no azp", aud: ["other", "client"], azp: nil),
        trusting("azp is null", aud: ["client", "other"], azp: .null),
        trusting("azp is empty", aud: ["client", "other"], azp: ""),
        trusting("azp is an empty list", aud: ["client", "other"], azp: []),
        trusting("a third one is not trusted", aud: ["client", "other", "third"]),
        trusting("the trusted one alone", aud: "other"),
        trusting("a list of the trusted one alone", aud: ["other"]),
        trusting("two trusted ones without the client", aud: ["other", "fourth"]),
        trusting("the client twice", aud: ["client", "client"]),
        trusting("a number beside the client", aud: ["client", 1]),
        trusting("null beside the client", aud: ["client", .null]),
        trusting("one that only counts as trusted", aud: ["client", "\u{212A}"]),
    ]

    private static func trusting(_ description: String, aud: JSONValue, azp: JSONValue? = "client") -> TokenChange {
        TokenChange("audience", description) {
            $0.expectation.trustedAudiences = ["other", "fourth", "K"]
            $0.claims["aud"] = aud
            $0.claims["azp"] = azp
        }
    }

    /// OpenID Connect Core 1.0 section 3.1.3.7, items 3 to 5.
    static let party: [TokenChange] =
        TokenChange.each(
            "authorized party", claim: "azp",
            ["other", " ", "Client", "client1", 1, ["client"], [:], true]) + partyPairs

    private static let partyPairs: [TokenChange] = [
        TokenChange("authorized party", "a list of one audience, another party") {
            $0.claims["aud"] = ["client"]
            $0.claims["azp"] = "other"
        },
        TokenChange("authorized party", "two audiences, the trusted other the authorized party") {
            $0.expectation.trustedAudiences = ["other"]
            $0.claims["aud"] = ["client", "other"]
            $0.claims["azp"] = "other"
        },
        TokenChange("authorized party", "two audiences, a list of parties") {
            $0.expectation.trustedAudiences = ["other"]
            $0.claims["aud"] = ["client", "other"]
            $0.claims["azp"] = ["client"]
        },
        TokenChange("authorized party", "a character that only counts as the same") {
            $0.expectation.clientID = "client-K"
            $0.claims["aud"] = "client-K"
            $0.claims["azp"] = "client-\u{212A}"
        },
    ]

    /// OpenID Connect Core 1.0 section 2.
    static let subject: [TokenChange] = TokenChange.each(
        "subject", claim: "sub",
        [
            nil, .null, "", 1, true, ["person"], [:], "\u{E4}", "a\u{0}", "a\nb", "a\u{7F}", "client",
            .string(String(repeating: "s", count: 256)),
        ])

    /// Core sections 3.3.3.6 and 12.2.
    static let subjectContinuity: [TokenChange] = otherSubjects.map { subject in
        TokenChange("subject continuity", "sub is '\(subject.now)', and was '\(subject.before)' before") {
            $0.claims["sub"] = .string(subject.now)
            $0.expectation.subject = subject.before
        }
    }

    private static let otherSubjects: [(now: String, before: String)] = [
        ("person", "other"), ("person", "Person"), ("person", "person "), ("person", "perso"), ("person", ""),
        // Swift's == takes the Kelvin sign for a K.
        ("K", "\u{212A}"),
    ]
}
