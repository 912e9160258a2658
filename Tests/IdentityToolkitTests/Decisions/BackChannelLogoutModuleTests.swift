// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerState
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import StoreTesting
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The modules of the certification plan Back-Channel OP, by their exact names. The table in
/// `Documentation/Reports/Conformance.md` is that of `ProviderModuleTests`, whose apps have no accounts.
struct BackChannelLogoutModuleTests {
    private static let client = AppSessionInstallation.App.back
    private static let afterwards = "https://back.example/post_logout_redirect"

    private let installation: AppSessionInstallation
    /// The key of the broker.
    private let key: SigningKey

    init() throws {
        let pem = try SigningKey.generatePEM(.es256)
        key = try SigningKey(pem: pem, algorithm: .es256)
        let listener = AccountListener(logoutsOf: Self.client.rawValue)
        installation = try AppSessionInstallation(logouts: [WireText(Self.client.rawValue): listener]) {
            $0.signingKeys = [Secret(pem)]
            for index in $0.apps.indices where $0.apps[index].name == Self.client.rawValue {
                $0.apps[index].backchannelLogoutURI = "https://back.example/backchannel_logout"
                $0.apps[index].postLogoutRedirectURIs = [Self.afterwards]
            }
        }
    }

    private func metadata() async throws -> JSONObject {
        try installation.base.answer(
            try await installation.base.respond(.get, "/__/auth/.well-known/openid-configuration", nil, "")
        ).members
    }

    @Test func `oidcc-backchannel-logout-discovery-endpoint-verification`() async throws {
        let metadata = try await metadata()
        for member in metadata.members where member.name.makeString().hasSuffix("_endpoint") {
            #expect(member.value.text?.makeString().hasPrefix("https://") == true, "\(member.name)")
        }
        #expect(metadata["backchannel_logout_supported"] == true)
        #expect(metadata["backchannel_logout_session_supported"] == true)
        #expect(metadata["end_session_endpoint"] != nil)
    }

    @Test func `oidcc-backchannel-rp-initiated-logout`() async throws {
        let signIn = try await installation.signIn(Self.client, scope: "openid")
        let idToken = try await installation.base.claims(of: signIn)
        let state = ##"!#$%&'()*,-./:<=>?@[\]^_`{|}~""##
        let request = [
            ("id_token_hint", try #require(signIn.members.string("id_token"))),
            ("post_logout_redirect_uri", Self.afterwards), ("state", state),
        ]
        let page = try await installation.base.respond(.get, "/__/auth/logout?" + Query.encode(request), nil, "")
        let text = String(buffer: page.body)
        let sealed = try #require(text.firstMatch(of: /name="logout" value="([^"]*)"/)?.output.1)
        let done = try await installation.response(
            "logout/confirm", [("logout", String(sealed))], fields: [.origin: "https://auth.example.com"])
        let location = try #require(done.head.headerFields[.location]).split(separator: "?", maxSplits: 1)
        #expect(location.first.map { String($0) } == Self.afterwards)
        let returned = Query(try #require(location.last))
        #expect(returned.names == ["state"] && returned["state"] == state)
        try await expectLogoutToken(of: idToken)
        let silent = try await installation.authorize(Self.client, scope: "openid", more: [("prompt", "none")]) {
            provider, asked in
            #expect(asked["prompt"] == "none")
            return provider.refuse("login_required", state: try #require(asked["state"]))
        }
        #expect(silent["error"] == "login_required" && silent["code"] == nil)
    }

    /// Expects that one logout token waits for the client, which is valid and about the session of an ID token.
    private func expectLogoutToken(of idToken: JSONObject) async throws {
        let queued = try installation.base.store.model.transact(.list) {
            try $0.outbox?.events(after: 0, limit: 100) ?? []
        }
        #expect(queued.map(\.destination) == ["logout:" + Self.client.rawValue])
        let json = try #require(queued.first).event.json
        let session = try JSONParser.object(Array(json.utf8), limits: JSONLimits(maximumBytes: 4096))
        let metadata = try await metadata()
        let issuer = try #require(metadata.string("issuer"))
        // As the delivery makes it, which `AppLogoutDeliveryTests` tests.
        let token = try LogoutTokenIssuer(issuer: issuer, clientID: Self.client.rawValue, key: key)
            .token(of: session, now: installation.clock.now())
        let keys = try await installation.base.respond(.get, "/__/auth/jwks", nil, "")
        let keySet = try KeySet(json: Array(keys.body.readableBytesView))
        let claims = try JSONWebSignature(compact: token).verified(by: keySet, algorithms: [.es256]).claims
        #expect(claims["iss"] == .string(issuer) && claims["aud"] == .string(Self.client.rawValue))
        #expect(try #require(claims["iat"]?.integerValue) <= installation.clock.now())
        #expect(claims.string("jti")?.isEmpty == false)
        #expect(claims["events"] == .object(["http://schemas.openid.net/event/backchannel-logout": .object([:])]))
        #expect(claims["sub"] == idToken["sub"] && claims["sid"] == idToken["sid"] && claims["sid"] != nil)
        #expect(claims["nonce"] == nil)
    }
}
