// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import SignInWithApple
import Testing
import TestingSupport

@Suite struct AppleClaimsTests {
    private func claims(_ object: JSONObject) -> AppleClaims { AppleClaims(Claims(object)) }

    @Test(
        .attack(.textualAppleBooleans),
        arguments: [
            (true, true), ("true", true), (false, false), ("false", false), (nil, nil), (1, nil), ("TRUE", nil),
            ("yes", nil), (.null, nil), ([], nil), ("", nil), ("tru\u{435}", nil),
        ] as [(JSONValue?, Bool?)])
    func `booleans come as booleans and as text`(value: JSONValue?, flag: Bool?) {
        var object: JSONObject = ["email": "ada@example.com"]
        object["email_verified"] = value
        object["is_private_email"] = value
        object["nonce_supported"] = value
        let claims = claims(object)
        #expect(claims.emailIsVerified == (flag ?? false))
        #expect(claims.isPrivateEmail == flag)
        #expect(claims.nonceIsSupported == flag)
    }

    @Test(.attack(.textualAppleBooleans)) func `an address that is not there is not verified`() {
        #expect(!claims(["email_verified": true]).emailIsVerified)
        #expect(!claims(["email_verified": true, "email": 7]).emailIsVerified)
        #expect(claims(["email_verified": true]).email == nil)
    }

    @Test(
        arguments: [
            ("0123456789@privaterelay.appleid.com", true), ("a@PrivateRelay.AppleID.com", true),
            ("a@b@privaterelay.appleid.com", true), ("ada@example.com", false),
            ("ada@evilprivaterelay.appleid.com", false), ("ada@privaterelay.appleid.com.evil.example", false),
            ("ada@mail.privaterelay.appleid.com", false), ("@privaterelay.appleid.com", false),
            ("privaterelay.appleid.com", false), ("ada@privaterelay.appleid.com ", false), ("", false), ("@", false),
            ("ada@pr\u{131}vaterelay.appleid.com", false), ("ada@privaterelay.apple\u{456}d.com", false),
        ])
    func `relay addresses are known by their domain`(email: String, isRelay: Bool) {
        #expect(claims(["email": .string(email)]).isPrivateRelayAddress == isRelay)
    }

    @Test(
        .attack(.appleRealUserStatus),
        arguments: [
            (0, .unsupported), (1, .unknown), (2, .likelyReal), (3, AppleRealUserStatus(rawValue: 3)),
            (-7, AppleRealUserStatus(rawValue: -7)), (nil, nil), ("2", nil), (true, nil), (.null, nil),
            (.number(JSONNumber(Int64.max)), nil),
        ] as [(JSONValue?, AppleRealUserStatus?)])
    func `the status of a real user, unknown numbers kept`(value: JSONValue?, status: AppleRealUserStatus?) {
        var object = JSONObject()
        object["real_user_status"] = value
        #expect(claims(object).realUserStatus == status)
    }

    @Test(.attack(.appleTransfer)) func `the transfer identifier`() {
        #expect(claims(["transfer_sub": "000000.abc.r"]).transferSubject == "000000.abc.r")
        #expect(claims(["transfer_sub": 7]).transferSubject == nil)
        #expect(claims([:]).transferSubject == nil)
    }
}
