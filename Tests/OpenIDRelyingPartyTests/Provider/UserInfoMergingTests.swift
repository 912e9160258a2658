// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing

@Suite struct UserInfoMergingTests {
    private func merged(_ idToken: JSONObject, _ userInfo: JSONObject) -> JSONObject {
        RelyingParty.merging(Claims(idToken), userInfo: userInfo).object
    }

    @Test func `UserInfo adds what the ID token does not have`() {
        #expect(
            merged(["sub": "s", "name": "Ada"], ["sub": "s", "picture": "https://p.example", "locale": "en"])
                == ["sub": "s", "name": "Ada", "picture": "https://p.example", "locale": "en"])
    }

    @Test func `the ID token wins`() {
        #expect(merged(["sub": "s", "name": "Ada"], ["sub": "s", "name": "Eve"]) == ["sub": "s", "name": "Ada"])
    }

    @Test(arguments: [.null, "", []] as [JSONValue])
    func `a blank claim is absent, in either source`(blank: JSONValue) {
        #expect(merged(["sub": "s", "name": blank], ["sub": "s", "name": "Eve"]) == ["sub": "s", "name": "Eve"])
        #expect(merged(["sub": "s", "name": "Ada"], ["sub": "s", "name": blank]) == ["sub": "s", "name": "Ada"])
        #expect(merged(["sub": "s"], ["sub": "s", "name": blank, "email": blank]) == ["sub": "s"])
        // An address and whether it is verified still come from one source.
        #expect(
            merged(["email": blank, "email_verified": blank], ["email": "b@x", "email_verified": true])
                == ["email": "b@x", "email_verified": true])
        #expect(
            merged(["email": "a@x", "email_verified": blank], ["email": "b@x", "email_verified": true])
                == ["email": "a@x", "email_verified": blank])
        #expect(
            merged(["email": blank, "email_verified": true], ["email": "b@x", "email_verified": false])
                == ["email": blank, "email_verified": true])
    }

    /// As in CVE-2026-14781: an email of one source with the other's word that it is verified.
    @Test(
        arguments: [
            (["email": "a@x"], ["email": "b@x", "email_verified": true], ["email": "a@x"]),
            (["email": "a@x"], ["email_verified": true], ["email": "a@x"]),
            (
                ["email": "a@x", "email_verified": false], ["email": "b@x", "email_verified": true],
                ["email": "a@x", "email_verified": false]
            ),
            (["email_verified": true], ["email": "b@x"], ["email_verified": true]),
            (["email_verified": true], ["email": "b@x", "email_verified": false], ["email_verified": true]),
            ([:], ["email": "b@x", "email_verified": true], ["email": "b@x", "email_verified": true]),
            ([:], ["email": "b@x"], ["email": "b@x"]),
            ([:], ["email_verified": true], ["email_verified": true]),
        ] as [(JSONObject, JSONObject, JSONObject)])
    func `the email and whether it is verified come from one source`(
        idToken: JSONObject, userInfo: JSONObject, expected: JSONObject
    ) {
        #expect(merged(idToken, userInfo) == expected)
    }

    @Test(arguments: [
        "iss", "sub", "aud", "exp", "iat", "nbf", "nonce", "at_hash", "c_hash", "azp", "acr", "amr", "auth_time", "sid",
    ])
    func `UserInfo never supplies a claim of the protocol`(name: String) {
        #expect(merged(["name": "Ada"], [name: "forged"]) == ["name": "Ada"])
    }
}
