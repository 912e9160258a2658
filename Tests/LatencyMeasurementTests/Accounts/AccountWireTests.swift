// SPDX-License-Identifier: Apache-2.0

import JOSE
import LatencyMeasurement
import Testing

@Suite struct AccountWireTests {
    private let wire = AccountWire(apiKey: "key-1", providerID: "oidc.p0")

    private func members(_ request: AccountWire.Request) throws -> JSONObject {
        try JSONParser.object(Array(request.body.utf8), limits: JSONLimits(maximumBytes: 1 << 16))
    }

    @Test func `a sign-in carries the token, its nonce and the provider`() throws {
        let request = wire.signIn(idToken: "aa.bb.cc", rawNonce: "n-1_2")
        #expect(request.target == "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=key-1")
        let members = try members(request)
        #expect(members["postBody"] == "providerId=oidc.p0&id_token=aa.bb.cc&nonce=n-1_2")
        #expect(members["requestUri"] == "http://localhost")
        #expect(members["autoCreate"] == true)
    }

    @Test func `a sign-in of a page carries the ticket and what it is bound to`() throws {
        let request = wire.signIn(ticketURL: "https://a/h?ticket=t", sessionID: "i")
        #expect(request.target == "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=key-1")
        let members = try members(request)
        #expect(members["requestUri"] == "https://a/h?ticket=t")
        #expect(members["sessionId"] == "i")
    }

    @Test func `a lookup and a refresh carry one token`() throws {
        let lookup = wire.lookup(idToken: "aa.bb.cc")
        #expect(lookup.target == "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=key-1")
        #expect(try members(lookup) == ["idToken": "aa.bb.cc"])
        let refresh = wire.refresh(refreshToken: "r")
        #expect(refresh.target == "/securetoken.googleapis.com/v1/token?key=key-1")
        #expect(try members(refresh) == ["grantType": "refresh_token", "refreshToken": "r"])
    }
}
