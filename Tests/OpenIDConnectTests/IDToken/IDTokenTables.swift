// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What each check refuses.
enum RefusedTokens {
    static let all: [TokenChange] = [
        kind, issuer, audience, party, subject, expiry, issuedAt, notBefore, nonce, authenticationTime, accessTokenHash,
    ].flatMap { $0 }

    /// J29.
    static let kind: [TokenChange] = [
        ofType("at+jwt"), ofType("AT+JWT"), ofType("logout+jwt"), ofType("secevent+jwt"), ofType("oauth-authz-req+jwt"),
        ofType("JWS"), ofType("JOSE"), ofType(""), ofType("JWT "),
        TokenChange("token kind", claim: "events", ["http://schemas.openid.net/event/backchannel-logout": [:]]),
        TokenChange("token kind", claim: "events", .null),
    ]

    private static func ofType(_ type: String) -> TokenChange {
        TokenChange("token kind", "typ is '\(type)'") { $0.type = type }
    }

    /// J20.
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
        TokenChange("issuer", "the slash at the end is missing") { $0.expectation.issuer = "https://issuer.example/" },
        TokenChange("issuer", "Google's short form") {
            $0.expectation.issuer = "https://accounts.google.com"
            $0.claims["iss"] = "accounts.google.com"
        },
        // U+212A is the Kelvin sign: Swift's == takes it for a K.
        TokenChange("issuer", "a character that only counts as the same") {
            $0.expectation.issuer = "https://issuer.example/K"
            $0.claims["iss"] = "https://issuer.example/\u{212A}"
        },
    ]

    /// J19.
    static let audience: [TokenChange] =
        TokenChange.each(
            "audience", claim: "aud",
            [
                nil, .null, "", 1, true, [:], [], "client1", "Client", "other", ["other"], ["client", "other"],
                ["other", "client"], ["client", "client"], [["client"]], [1], ["client", 1], "client other",
            ]) + audiencePairs

    private static let audiencePairs: [TokenChange] = [
        TokenChange("audience", "two audiences, the client the authorized party") {
            $0.claims["aud"] = ["client", "other"]
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

    /// J19.
    static let party: [TokenChange] =
        TokenChange.each(
            "authorized party", claim: "azp",
            ["other", "", "Client", "client1", 1, .null, ["client"], [:], true]) + partyPairs

    private static let partyPairs: [TokenChange] = [
        TokenChange("authorized party", "a list of one audience, another party") {
            $0.claims["aud"] = ["client"]
            $0.claims["azp"] = "other"
        },
        TokenChange("authorized party", "a character that only counts as the same") {
            $0.expectation.clientID = "client-K"
            $0.claims["aud"] = "client-K"
            $0.claims["azp"] = "client-\u{212A}"
        },
    ]

    /// J23.
    static let subject: [TokenChange] = TokenChange.each(
        "subject", claim: "sub",
        [
            nil, .null, "", 1, true, ["person"], [:], "\u{E4}", "a\u{0}", "a\nb", "a\u{7F}", "client",
            .string(String(repeating: "s", count: 256)),
        ])

    /// J16, J17, J18.
    static let expiry: [TokenChange] =
        TokenChange.each("expiry", claim: "exp", impossibleTimes)
        + TokenChange.each(
            "expiry", claim: "exp",
            [nil, seconds(-60), seconds(-61), seconds(-360), 0, number("1799999940.9")]) + expiryPairs

    private static let expiryPairs: [TokenChange] = [
        TokenChange("expiry", "no skew, this very second") {
            $0.expectation.clockSkew = 0
            $0.claims["exp"] = seconds(0)
        }
    ]

    /// J16, J17.
    static let issuedAt: [TokenChange] =
        TokenChange.each("issued at", claim: "iat", impossibleTimes)
        + TokenChange.each(
            "issued at", claim: "iat",
            [nil, seconds(61), seconds(600), seconds(-86_461), seconds(-604_800), 0]) + issuedAtPairs

    private static let issuedAtPairs: [TokenChange] = [
        TokenChange("issued at", "no skew, a second ahead") {
            $0.expectation.clockSkew = 0
            $0.claims["iat"] = seconds(1)
        }
    ]

    static let notBefore: [TokenChange] =
        TokenChange.each("not before", claim: "nbf", impossibleTimes)
        + TokenChange.each(
            "not before", claim: "nbf", [seconds(61), seconds(600), number("9007199254740991")])

    /// J22.
    static let nonce: [TokenChange] =
        TokenChange.each(
            "nonce", claim: "nonce",
            [
                nil, .null, "", 1, ["n-0S6_WzA2Mj"], "n-0S6_WzA2Mj1", "n-0S6_WzA2M", "N-0S6_WZA2MJ", " n-0S6_WzA2Mj",
            ]) + noncePairs

    private static let noncePairs: [TokenChange] = [
        TokenChange("nonce", "one although none was sent") { $0.expectation.nonce = nil },
        TokenChange("nonce", "null although none was sent") {
            $0.expectation.nonce = nil
            $0.claims["nonce"] = .null
        },
        TokenChange("nonce", "the raw one where its hash was sent") {
            $0.expectation.nonce = "2c5d107938053a2275f022c153c9a71f65ee07754b8bca543ee97a0c3cc66990"
            $0.claims["nonce"] = "raw-nonce"
        },
    ]

    static let authenticationTime: [TokenChange] =
        TokenChange.each("authentication time", claim: "auth_time", impossibleTimes)
        + impossibleTimes.map { authenticatedAt($0, maximumAge: 300) }
        + [
            authenticatedAt(nil, maximumAge: 300),
            authenticatedAt(seconds(-361), maximumAge: 300),
            authenticatedAt(seconds(-86_400), maximumAge: 300),
            authenticatedAt(seconds(61), maximumAge: 300),
            authenticatedAt(seconds(-61), maximumAge: 0),
        ]

    private static func authenticatedAt(_ value: JSONValue?, maximumAge: Int64) -> TokenChange {
        let text = value.map { "\($0)" } ?? "absent"
        return TokenChange("authentication time", "max_age is \(maximumAge), auth_time is \(text)") {
            $0.expectation.maximumAge = maximumAge
            $0.claims["auth_time"] = value
        }
    }

    /// J31.
    static let accessTokenHash: [TokenChange] =
        TokenChange.each(
            "access token hash", claim: "at_hash",
            [
                .null, "", 1, ["Pxa-1wifRlPl7yG_0oJNfw"],
                // Of another access token.
                "2SmKENGwc1g33EvYXaxkGw",
                // One character less, one more, padded, the whole hash.
                "Pxa-1wifRlPl7yG_0oJNf", "Pxa-1wifRlPl7yG_0oJNfwA", "Pxa-1wifRlPl7yG_0oJNfw==",
                "Pxa-1wifRlPl7yG_0oJNfzqq7MelmOfonFgOFgapzFI",
                // SHA-384 and SHA-512 under an algorithm with SHA-256.
                "fPnQAsvCEwe-sRB6O4tsdPgfI-EaOvsY", "Rb10lsqrobcpd02MQ_878ctvfDDbaRese_Z50nFw5Jw",
            ]) + accessTokenHashPairs

    private static let accessTokenHashPairs: [TokenChange] = [
        TokenChange("access token hash", "no access token beside it") { $0.expectation.accessToken = nil },
        TokenChange("access token hash", "ES384 with the hash of ES256") { $0.algorithm = .es384 },
        TokenChange("access token hash", "ES512 with the hash of ES384") {
            $0.algorithm = .es512
            $0.claims["at_hash"] = "fPnQAsvCEwe-sRB6O4tsdPgfI-EaOvsY"
        },
        TokenChange("access token hash", "EdDSA with the hash of ES256") { $0.algorithm = .eddsa },
    ]
}

/// What no check refuses.
enum AcceptedTokens {
    static let all: [TokenChange] = [identity, expiry, issuedAt, notBefore, authenticationTime, bindings].flatMap { $0 }

    static let identity: [TokenChange] = [
        TokenChange("none", "as it is") { _ in },
        TokenChange("token kind", "typ is JWT") { $0.type = "JWT" },
        TokenChange("token kind", "typ is jwt") { $0.type = "jwt" },
        TokenChange("token kind", "typ is application/jwt") { $0.type = "application/jwt" },
        TokenChange("issuer", "both with a slash at the end") {
            $0.expectation.issuer = "https://issuer.example/"
            $0.claims["iss"] = "https://issuer.example/"
        },
        TokenChange("audience", claim: "aud", ["client"]),
        TokenChange("authorized party", claim: "azp", "client"),
        TokenChange("authorized party", "a list of one audience and the client") {
            $0.claims["aud"] = ["client"]
            $0.claims["azp"] = "client"
        },
        TokenChange("subject", claim: "sub", "s"),
        TokenChange("subject", claim: "sub", "a b|c:@~"),
        TokenChange("subject", claim: "sub", .string(String(repeating: "s", count: 255))),
        TokenChange("none", "claims that nobody knows") { $0.claims["unknown"] = [1, .null, ["deep": [true]]] },
    ]

    /// J16, J18: the clock may be off by the skew, and a NumericDate may have a fraction.
    static let expiry: [TokenChange] =
        TokenChange.each(
            "expiry", claim: "exp",
            [
                seconds(-59), seconds(0), seconds(1), number("1800000300.5"), number("1800000300.0"),
                number("1.8000003e9"), number("9007199254740991"),
            ]) + [
            TokenChange("expiry", "no skew, the last second") {
                $0.expectation.clockSkew = 0
                $0.claims["exp"] = seconds(1)
            }
        ]

    static let issuedAt: [TokenChange] = TokenChange.each(
        "issued at", claim: "iat", [seconds(60), seconds(-300), seconds(-86_460), number("1799999999.99")])

    static let notBefore: [TokenChange] = TokenChange.each(
        "not before", claim: "nbf", [seconds(60), seconds(0), seconds(-1_000_000), 0, number("1800000060.9")])

    static let authenticationTime: [TokenChange] =
        TokenChange.each(
            "authentication time", claim: "auth_time", [seconds(0), seconds(-1_000_000), seconds(1_000_000)])
        + [
            authenticatedAt(seconds(0)), authenticatedAt(seconds(-300)), authenticatedAt(seconds(-360)),
            authenticatedAt(seconds(60)),
        ]

    private static func authenticatedAt(_ value: JSONValue) -> TokenChange {
        TokenChange("authentication time", "max_age is 300, auth_time is \(value)") {
            $0.expectation.maximumAge = 300
            $0.claims["auth_time"] = value
        }
    }

    static let bindings: [TokenChange] = [
        TokenChange("nonce", "none was sent and none is there") {
            $0.expectation.nonce = nil
            $0.claims["nonce"] = nil
        },
        TokenChange("access token hash", claim: "at_hash", nil),
        TokenChange("access token hash", "neither it nor an access token") {
            $0.claims["at_hash"] = nil
            $0.expectation.accessToken = nil
        },
        TokenChange("access token hash", "ES384 takes SHA-384") {
            $0.algorithm = .es384
            $0.claims["at_hash"] = "fPnQAsvCEwe-sRB6O4tsdPgfI-EaOvsY"
        },
        TokenChange("access token hash", "ES512 takes SHA-512") {
            $0.algorithm = .es512
            $0.claims["at_hash"] = "Rb10lsqrobcpd02MQ_878ctvfDDbaRese_Z50nFw5Jw"
        },
        TokenChange("access token hash", "EdDSA takes SHA-512") {
            $0.algorithm = .eddsa
            $0.claims["at_hash"] = "Rb10lsqrobcpd02MQ_878ctvfDDbaRese_Z50nFw5Jw"
        },
    ]
}
