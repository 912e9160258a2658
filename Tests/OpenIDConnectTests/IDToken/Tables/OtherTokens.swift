// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// Tokens of other kinds that the same provider signs for the same client (RFC 8725 section 2.8). No `typ` is set:
/// without it, only the claims tell them from an ID token.
enum OtherTokens {
    static let all: [TokenChange] = [
        TokenChange("token kind", "a logout token") {
            $0.claims["events"] = ["http://schemas.openid.net/event/backchannel-logout": [:]]
            $0.claims["nonce"] = nil
            $0.claims["jti"] = "1"
        },
        TokenChange("token kind", "a security event") {
            $0.claims = [
                "iss": .string(TokenUnderTest.issuer), "aud": .string(TokenUnderTest.clientID), "iat": seconds(0),
                "jti": "1",
                "events": ["https://schemas.openid.net/secevent/risc/event-type/account-disabled": [:]],
            ]
        },
        TokenChange("nonce", "an access token") {
            $0.claims["nonce"] = nil
            $0.claims["client_id"] = "client"
            $0.claims["scope"] = "openid"
            $0.claims["jti"] = "1"
        },
        TokenChange("audience", "an access token for a resource server") {
            $0.claims["aud"] = "https://api.example"
            $0.claims["nonce"] = nil
        },
        TokenChange("issuer", "a client assertion of this client") {
            $0.claims = [
                "iss": "client", "sub": "client", "aud": .string(TokenUnderTest.issuer), "jti": "1",
                "iat": seconds(0), "exp": seconds(60),
            ]
        },
        TokenChange("subject", "a JARM response") {
            $0.claims = [
                "iss": .string(TokenUnderTest.issuer), "aud": .string(TokenUnderTest.clientID), "exp": seconds(60),
                "code": "c", "state": "s",
            ]
        },
        TokenChange("expiry", "a UserInfo response") {
            $0.claims = [
                "iss": .string(TokenUnderTest.issuer), "aud": .string(TokenUnderTest.clientID), "sub": "person",
                "email": "person@example.com",
            ]
        },
        TokenChange("expiry", "an introspection response") {
            $0.claims = [
                "iss": .string(TokenUnderTest.issuer), "aud": .string(TokenUnderTest.clientID), "sub": "person",
                "iat": seconds(0), "token_introspection": ["active": true],
            ]
        },
    ]
}
