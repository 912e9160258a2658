// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenIDRelyingParty
import Testing

struct PendingSignInTests {
    @Test(arguments: [nil, .seconds(60)] as [Duration?])
    func `a session keeps it`(maximumAge: Duration?) throws {
        let pending = PendingSignIn(
            state: "s", nonce: Secret("n"), codeVerifier: Secret("v"), maximumAge: maximumAge)
        let encoded = try JSONEncoder().encode(pending)
        #expect(try JSONDecoder().decode(PendingSignIn.self, from: encoded) == pending)
    }

    @Test func `one without its code verifier is not read`() {
        let encoded = Data(#"{"state":"s","nonce":"n"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PendingSignIn.self, from: encoded) }
    }

    @Test func `its description has no secret`() {
        let pending = PendingSignIn(state: "s", nonce: Secret("private"), codeVerifier: Secret("private"))
        #expect(!"\(pending)".contains("private"))
    }
}
