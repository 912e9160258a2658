// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What each check refuses, in the front channel and at the token endpoint alike: each row by exactly one check.
enum RefusedTokens {
    static let all: [TokenChange] = [
        kind, issuer, issuerSpelling, issuerTemplate, audience, trustedAudience, party, subject, subjectContinuity,
        expiry, issuedAt, notBefore, nonce, authenticationTime, authenticationContext, hashes,
    ].flatMap { $0 }

    /// RFC 8725 section 3.11.
    static let kind: [TokenChange] = [
        ofType("at+jwt"), ofType("AT+JWT"), ofType("logout+jwt"), ofType("secevent+jwt"), ofType("oauth-authz-req+jwt"),
        ofType("client-authentication+jwt"), ofType("token-introspection+jwt"), ofType("dpop+jwt"),
        ofType("JWS"), ofType("JOSE"), ofType("JWT "),
        TokenChange("token kind", claim: "events", ["http://schemas.openid.net/event/backchannel-logout": [:]]),
        TokenChange("token kind", claim: "events", .null),
    ]

    private static func ofType(_ type: String) -> TokenChange {
        TokenChange("token kind", "typ is '\(type)'") { $0.type = type }
    }

    /// OpenID Connect Core 1.0 section 3.1.3.7, item 9.
    static let expiry: [TokenChange] =
        TokenChange.each("expiry", claim: "exp", impossibleTimes)
        + TokenChange.each(
            "expiry", claim: "exp",
            [nil, seconds(-60), seconds(-61), seconds(-360), 0, number("1799999940.9")]) + expirySettings

    private static let expirySettings: [TokenChange] = [
        TokenChange("expiry", "no skew, this very second") {
            $0.expectation.clockSkew = 0
            $0.claims["exp"] = seconds(0)
        }
    ]

    /// OpenID Connect Core 1.0 section 3.1.3.7, item 10.
    static let issuedAt: [TokenChange] =
        TokenChange.each("issued at", claim: "iat", impossibleTimes)
        + TokenChange.each(
            "issued at", claim: "iat",
            [nil, seconds(61), seconds(600), seconds(-86_461), seconds(-604_800), 0]) + issuedAtSettings

    private static let issuedAtSettings: [TokenChange] = [
        TokenChange("issued at", "no skew, a second ahead") {
            $0.expectation.clockSkew = 0
            $0.claims["iat"] = seconds(1)
        },
        TokenChange("issued at", "at most 300 s old, and is one more") {
            $0.expectation.maximumIssuedAge = 300
            $0.claims["iat"] = seconds(-361)
        },
        TokenChange("issued at", "must be of this second") {
            $0.expectation.maximumIssuedAge = 0
            $0.expectation.clockSkew = 0
            $0.claims["iat"] = seconds(-1)
        },
    ]

    /// RFC 7519 section 4.1.5.
    static let notBefore: [TokenChange] =
        TokenChange.each("not before", claim: "nbf", impossibleTimes.filter { $0?.isBlank != true })
        + TokenChange.each(
            "not before", claim: "nbf", [seconds(61), seconds(600), number("9007199254740991")])

    /// OpenID Connect Core 1.0 section 3.1.3.7, item 11.
    static let nonce: [TokenChange] =
        TokenChange.each(
            "nonce", claim: "nonce",
            [
                nil, .null, "", 1, ["n-0S6_WzA2Mj"], "n-0S6_WzA2Mj1", "n-0S6_WzA2M", "N-0S6_WZA2MJ", " n-0S6_WzA2Mj",
            ]) + nonceSettings

    private static let nonceSettings: [TokenChange] = [
        TokenChange("nonce", "one although none was sent") { $0.expectation.nonce = nil },
        TokenChange("nonce", "null although none was sent") {
            $0.expectation.nonce = nil
            $0.claims["nonce"] = .null
        },
        TokenChange("nonce", "the raw one where its hash was sent") {
            $0.expectation.nonce = "2c5d107938053a2275f022c153c9a71f65ee07754b8bca543ee97a0c3cc66990"
            $0.claims["nonce"] = "raw-nonce"
        },
        TokenChange("nonce", "absent, and the provider says it knows none") {
            $0.claims["nonce"] = nil
            $0.claims["nonce_supported"] = false
        },
    ]

    static let authenticationTime: [TokenChange] =
        impossibleTimes.map { authenticatedAt($0, maximumAge: 300) }
        + [
            authenticatedAt(nil, maximumAge: 300),
            authenticatedAt(seconds(-361), maximumAge: 300),
            authenticatedAt(seconds(-86_400), maximumAge: 300),
            authenticatedAt(seconds(61), maximumAge: 300),
            authenticatedAt(seconds(-61), maximumAge: 0),
        ]

    private static func authenticatedAt(_ value: JSONValue?, maximumAge: Int64) -> TokenChange {
        TokenChange("authentication time", "max_age is \(maximumAge), auth_time is \(TokenChange.text(value))") {
            $0.expectation.maximumAge = maximumAge
            $0.claims["auth_time"] = value
        }
    }

    private static let insufficientContexts: [JSONValue?] = [
        nil, .null, "", 0, true, ["urn:acr:strong"], [:], "urn:acr:weak", "urn:acr:Strong", "urn:acr:strong ",
        "urn:acr:strong urn:acr:stronger",
        // U+212A is the Kelvin sign: Swift's == takes it for a K.
        "urn:acr:\u{212A}",
    ]

    static let authenticationContext: [TokenChange] = insufficientContexts.map { value in
        TokenChange("authentication context", "another was required, acr is \(TokenChange.text(value))") {
            $0.expectation.acceptedACRs = ["urn:acr:strong", "urn:acr:stronger", "urn:acr:K"]
            $0.claims["acr"] = value
        }
    }
}
