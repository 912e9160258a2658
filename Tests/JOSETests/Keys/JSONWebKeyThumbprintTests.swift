// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct JSONWebKeyThumbprintTests {
    @Test func `vector of RFC 7638 section 3_1`() {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3okn"
            + "jhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qM"
            + "QvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJz"
            + "KnqDKgw"
        let jwk: JSONObject = [
            "kty": "RSA", "n": .string(modulus), "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
        ]
        #expect(JSONWebKeyThumbprint.sha256(of: jwk) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test func `vector of RFC 8037 appendix A_3`() {
        let jwk: JSONObject = [
            "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        ]
        #expect(JSONWebKeyThumbprint.sha256(of: jwk) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test func `what has no thumbprint`() {
        #expect(JSONWebKeyThumbprint.sha256(of: [:]) == nil)
        #expect(JSONWebKeyThumbprint.sha256(of: ["kty": "EC", "crv": "P-256", "x": "AA"]) == nil)
        #expect(JSONWebKeyThumbprint.sha256(of: ["kty": "RSA", "n": "AA", "e": 3]) == nil)
        #expect(JSONWebKeyThumbprint.sha256(of: ["kty": "AKP", "pub": "AA"]) == nil)
    }
}
