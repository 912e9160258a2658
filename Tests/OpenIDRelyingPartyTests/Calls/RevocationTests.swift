// SPDX-License-Identifier: Apache-2.0

import NIOCore
import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Revoking a token (RFC 7009).
@Suite struct RevocationTests {
    private static func refusal(
        _ session: UnpluggedSession,
        hint: TokenTypeHint? = nil
    ) -> RelyingPartyError? {
        do {
            try session.party.revoke(Secret("a-refresh-token"), hint: hint, on: session.loop).wait()
            return nil
        } catch {
            return error as? RelyingPartyError
        }
    }

    @Test(
        arguments: [(nil, nil), (.accessToken, "access_token"), (.refreshToken, "refresh_token")]
            as [(TokenTypeHint?, String?)])
    func `the token is posted with the client's proof, and doing so again does no harm`(
        hint: TokenTypeHint?, name: String?
    ) throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        for _ in 1...2 { #expect(Self.refusal(session, hint: hint) == nil) }
        let form = try provider.form("/revoke")
        #expect(try form.text("token") == "a-refresh-token")
        #expect(try form.text("token_type_hint") == name)
        #expect(provider.requests.last?.authorization?.hasPrefix("Basic ") == true)
        #expect(provider.paths == ["/.well-known/openid-configuration", "/revoke", "/revoke"])
    }

    @Test(
        arguments: [
            (400, #"{"error":"unsupported_token_type"}"#, "unsupported_token_type", false),
            (401, #"{"error":"invalid_client"}"#, "invalid_client", false), (400, "", nil, false),
            (404, "no such page", nil, false), (302, "", nil, false), (503, "", nil, true),
            (503, #"{"error":"invalid_client"}"#, nil, true), (429, "", nil, true), (500, "", nil, true),
        ] as [(Int, String, String?, Bool)])
    func `anything but 200 is not a revocation`(status: Int, body: String, code: String?, isTemporary: Bool) throws {
        let provider = try TestProvider()
        provider.answer("/revoke", status: status, body)
        let error = Self.refusal(UnpluggedSession(provider))
        #expect(error?.step == .revocation)
        #expect(error?.providerError?.code == code)
        #expect(error?.isTemporary == isTemporary)
        #expect(provider.paths.filter { $0 == "/revoke" }.count == 1)
    }

    @Test func `200 is a revocation whatever stands in it`() throws {
        let provider = try TestProvider()
        provider.answer("/revoke", #"{"error":"invalid_token"}"#)
        #expect(Self.refusal(UnpluggedSession(provider)) == nil)
    }

    @Test func `a provider without the endpoint is asked nothing`() throws {
        let provider = try TestProvider()
        provider.behave { $0.metadata["revocation_endpoint"] = .null }
        let error = Self.refusal(UnpluggedSession(provider))
        #expect(error?.step == .revocation)
        #expect(error?.isTemporary == false)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }
}
