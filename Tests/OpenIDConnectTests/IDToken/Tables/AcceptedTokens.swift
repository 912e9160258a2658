// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What no check refuses, in the front channel and at the token endpoint alike.
enum AcceptedTokens {
    static let all: [TokenChange] = [
        kind, issuer, audience, subject, expiry, issuedAt, notBefore, authenticationTime, authenticationContext,
        bindings, hashes, blank,
    ].flatMap { $0 }

    /// Optional claims that stand for absent ones.
    static let blank: [TokenChange] =
        ["azp", "nbf", "auth_time", "acr", "amr", "sid", "email", "email_verified", "name"].flatMap { claim in
            TokenChange.each("none", claim: claim, [.null, "", []])
        } + [
            TokenChange("access token hash", claim: "at_hash", .null),
            TokenChange("state hash", claim: "s_hash", .null),
            TokenChange("code hash", "null, and not required") {
                $0.claims["c_hash"] = .null
                $0.expectation.requiresCodeHash = false
            },
        ]

    static let kind: [TokenChange] = [
        TokenChange("none", "as it is") { _ in },
        TokenChange("token kind", "typ is JWT") { $0.type = "JWT" },
        TokenChange("token kind", "typ is jwt") { $0.type = "jwt" },
        TokenChange("token kind", "typ is application/jwt") { $0.type = "application/jwt" },
        TokenChange("token kind", "an empty typ") { $0.type = "" },
        TokenChange("none", "claims that are unknown") { $0.claims["unknown"] = [1, .null, ["deep": [true]]] },
    ]

    /// OpenID Connect Core 1.0 section 3.1.3.7, item 2.
    static let issuer: [TokenChange] = [
        TokenChange("issuer", "both with a slash at the end") {
            $0.expectation.issuer = "https://issuer.example/"
            $0.claims["iss"] = "https://issuer.example/"
        },
        under(.google, "Google's long form", iss: "https://accounts.google.com"),
        under(.google, "Google's short form", iss: "accounts.google.com"),
        under(
            .rule(forIssuer: "https://login.example/{tenantid}/v2.0", tenants: ["first", "second"]),
            "the first tenant", iss: "https://login.example/first/v2.0", tid: "first"),
        under(
            .rule(forIssuer: "https://login.example/{tenantid}/v2.0", tenants: ["first", "second"]),
            "the second tenant", iss: "https://login.example/second/v2.0", tid: "second"),
        under(
            .rule(forIssuer: "https://login.example/{tenantid}", tenants: ["first"]),
            "the tenant at the end", iss: "https://login.example/first", tid: "first"),
        under(
            .rule(forIssuer: "https://issuer.example", tenants: ["first"]),
            "an issuer without the placeholder", iss: "https://issuer.example", tid: "first"),
        under(.exact("https://issuer.example"), "a rule of one issuer", iss: "https://issuer.example"),
    ]

    private static func under(
        _ rule: IssuerRule, _ description: String, iss: JSONValue, tid: JSONValue? = nil
    ) -> TokenChange {
        TokenChange("issuer", description) {
            $0.expectation.issuerRule = rule
            $0.claims["iss"] = iss
            $0.claims["tid"] = tid
        }
    }

    /// OpenID Connect Core 1.0 section 3.1.3.7, items 3 to 5.
    static let audience: [TokenChange] = [
        TokenChange("audience", claim: "aud", ["client"]),
        TokenChange("authorized party", claim: "azp", "client"),
        TokenChange("authorized party", "a list of one audience and the client") {
            $0.claims["aud"] = ["client"]
            $0.claims["azp"] = "client"
        },
        trusting("a trusted one beside the client", aud: ["client", "other"]),
        trusting("a trusted one before the client", aud: ["other", "client"]),
        trusting("two trusted ones beside the client", aud: ["fourth", "client", "other"]),
        trusting("the client alone, though another is trusted", aud: "client", azp: nil),
        trusting("a list of the client alone, though another is trusted", aud: ["client"], azp: nil),
    ]

    private static func trusting(_ description: String, aud: JSONValue, azp: JSONValue? = "client") -> TokenChange {
        TokenChange("audience", description) {
            $0.expectation.trustedAudiences = ["other", "fourth"]
            $0.claims["aud"] = aud
            $0.claims["azp"] = azp
        }
    }

    /// OpenID Connect Core 1.0 section 2: at most 255 ASCII characters.
    static let subject: [TokenChange] = [
        TokenChange("subject", claim: "sub", "s"),
        TokenChange("subject", claim: "sub", "a b|c:@~"),
        TokenChange("subject", claim: "sub", .string(String(repeating: "s", count: 255))),
        TokenChange("subject continuity", "the same subject as before") { $0.expectation.subject = "person" },
    ]

    /// The clock may be off by the skew, and a NumericDate may have a fraction.
    static let expiry: [TokenChange] =
        TokenChange.each(
            "expiry", claim: "exp",
            [
                seconds(-59), seconds(0), seconds(1), number("1800000300.5"), number("1800000300.0"),
                number("1.8000003e9"), number("9007199254740991"),
            ]) + expirySettings

    private static let expirySettings: [TokenChange] = [
        TokenChange("expiry", "no skew, the last second") {
            $0.expectation.clockSkew = 0
            $0.claims["exp"] = seconds(1)
        }
    ]

    /// OpenID Connect Core 1.0 section 3.1.3.7, item 10.
    static let issuedAt: [TokenChange] =
        TokenChange.each(
            "issued at", claim: "iat", [seconds(60), seconds(-300), seconds(-86_460), number("1799999999.99")])
        + issuedAtSettings

    private static let issuedAtSettings: [TokenChange] = [
        TokenChange("issued at", "a week old, and may be") {
            $0.expectation.maximumIssuedAge = 604_800
            $0.claims["iat"] = seconds(-604_800)
        },
        TokenChange("issued at", "at most 300 s old, and is") {
            $0.expectation.maximumIssuedAge = 300
            $0.claims["iat"] = seconds(-360)
        },
        TokenChange("issued at", "of any age") {
            $0.expectation.maximumIssuedAge = .max
            $0.claims["iat"] = 0
        },
    ]

    static let notBefore: [TokenChange] = TokenChange.each(
        "not before", claim: "nbf", [seconds(60), seconds(0), seconds(-1_000_000), 0, number("1800000060.9")])

    static let authenticationTime: [TokenChange] =
        TokenChange.each(
            "authentication time", claim: "auth_time",
            [seconds(0), seconds(-1_000_000), seconds(1_000_000)] + impossibleTimes)
        + [
            authenticatedAt(seconds(0)), authenticatedAt(seconds(-300)), authenticatedAt(seconds(-360)),
            authenticatedAt(seconds(60)),
        ]

    private static func authenticatedAt(_ value: JSONValue) -> TokenChange {
        TokenChange("authentication time", "max_age is 300, auth_time is \(TokenChange.text(value))") {
            $0.expectation.maximumAge = 300
            $0.claims["auth_time"] = value
        }
    }

    static let authenticationContext: [TokenChange] =
        TokenChange.each("authentication context", claim: "acr", [nil, "anything", 0])
        + [requiredContext("urn:acr:strong"), requiredContext("urn:acr:stronger")]

    private static func requiredContext(_ context: String) -> TokenChange {
        TokenChange("authentication context", "one of those required: \(context)") {
            $0.expectation.acceptedACRs = ["urn:acr:strong", "urn:acr:stronger"]
            $0.claims["acr"] = .string(context)
        }
    }

    /// OpenID Connect Core 1.0 section 3.1.3.7, item 11; section 3.3.2.11.
    static let bindings: [TokenChange] = [
        TokenChange("nonce", "none was sent and none is there") {
            $0.expectation.nonce = nil
            $0.claims["nonce"] = nil
        },
        TokenChange("nonce", "the hash of the raw one was sent") {
            $0.expectation.nonce = "2c5d107938053a2275f022c153c9a71f65ee07754b8bca543ee97a0c3cc66990"
            $0.claims["nonce"] = "2c5d107938053a2275f022c153c9a71f65ee07754b8bca543ee97a0c3cc66990"
        },
        TokenChange("access token hash", claim: "at_hash", nil),
        TokenChange("access token hash", "neither it nor an access token") {
            $0.claims["at_hash"] = nil
            $0.expectation.accessToken = nil
        },
        TokenChange("access token hash", "required, and there") {
            $0.bind(.accessToken)
            $0.expectation.requiresAccessTokenHash = true
        },
        TokenChange("code hash", "absent, and not required") {
            $0.claims["c_hash"] = nil
            $0.expectation.requiresCodeHash = false
        },
        TokenChange("code hash", "required, and there") {
            $0.bind(.code)
            $0.expectation.requiresCodeHash = true
        },
        TokenChange("state hash", claim: "s_hash", nil),
        TokenChange("state hash", "the state is not at hand") {
            $0.claims["s_hash"] = .string(HashClaim.ofAnother)
            $0.expectation.state = nil
        },
    ]

    /// Each under each size of hash, all three in one token.
    static let hashes: [TokenChange] = [
        allHashes(under: .es256), allHashes(under: .es384), allHashes(under: .es512), allHashes(under: .eddsa),
        allHashes(under: .ed25519),
    ]

    private static func allHashes(under algorithm: JSONWebAlgorithm) -> TokenChange {
        TokenChange("none", "all hashes under \(algorithm.rawValue)") {
            for claim in HashClaim.all { $0.bind(claim) }
            $0.sign(with: algorithm)
        }
    }
}
