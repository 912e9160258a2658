// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// A broker for one row of the table, and what happened there before the request: three providers that sign with real
/// keys, one of them in the place of Apple, an app of each SDK, and a store and a limiter that can be told to refuse.
struct ToolkitWireScene: Sendable {
    /// What a row wants otherwise.
    struct Options: Sendable {
        var policy = AccountPolicy()
        /// The ID of the second provider.
        var boldID = "oidc.bold"
        /// Whether UserInfo is fetched from the first provider.
        var hasUserInfo = false
    }

    /// The tokens of a session.
    struct Session: Sendable {
        let idToken: String
        let refreshToken: String
    }

    static let nonce = "raw-nonce"

    let client: ToolkitWireClient
    let installation: ToolkitInstallation
    let store = DecisionInstallation.Store()
    let limiter = SwitchedLimiter()

    init(_ client: ToolkitWireClient, _ options: Options = Options()) throws {
        self.client = client
        var installed = ToolkitInstallation.Options()
        installed.accounts = store
        installed.limiter = limiter
        installed.apps = ToolkitWireClient.allCases.filter { $0 != .javaScript }.map(\.app)
        installed.boldID = options.boldID
        installed.hasApple = true
        installed.hasUserInfo = options.hasUserInfo
        installation = try ToolkitInstallation(policy: options.policy, options: installed)
        provider { $0.announcesOptionalEndpoints = options.hasUserInfo }
        // Apple knows no code until it is told to, and revokes what it is asked to.
        provider("apple.com") { behavior in
            behavior.metadata = ["revocation_endpoint": .string(AppleIssuer.issuer + "/revoke")]
            behavior.responses["/token"] = .json(["error": "invalid_grant"], status: 400)
            behavior.responses["/revoke"] = .success(.empty(status: 200))
        }
    }

    /// Changes what a provider does.
    func provider(_ id: String = "oidc.acme", _ change: (inout TestProvider.Behavior) -> Void) {
        installation.providers[id]?.behave(change)
    }

    /// Lets Apple exchange any authorization code for tokens of a user.
    func acceptCodes(of subject: String = "ada") throws {
        let idToken = try token(subject, at: "apple.com")
        provider("apple.com") { behavior in
            behavior.responses["/token"] = .json([
                "id_token": .string(idToken), "access_token": "access-token-of-apple",
                "refresh_token": "refresh-token-of-apple", "token_type": "Bearer",
            ])
        }
    }

    // MARK: Sessions

    /// An ID token that the app got from a provider. Each is another one.
    func token(
        _ subject: String = "ada", at provider: String = "oidc.acme", email: String? = nil, isVerified: Bool = true,
        nonce: String = ToolkitWireScene.nonce, changes: JSONObject = [:]
    ) throws -> String {
        var claims: JSONObject = [
            "aud": .string(client.audience), "jti": .string(Base64URL.encode(SecureRandom.bytes(16))),
        ]
        for member in changes.members { claims[member.name] = member.value }
        return try installation.token(
            subject, at: provider, email: email, isVerified: isVerified, nonce: nonce, changes: claims)
    }

    /// The claim with which a provider binds an access token to the ID token beside it.
    static func hash(of accessToken: String) -> JSONObject {
        ["at_hash": .string(TokenHash.leftHalf(of: accessToken, algorithm: .es256))]
    }

    /// Signs a user in, or links an identity where there is an ID token of ours.
    func session(
        _ subject: String = "ada", at provider: String = "oidc.acme", email: String? = nil, accessToken: String? = nil,
        changes: JSONObject = [:], linkingTo idToken: String? = nil
    ) async throws -> Session {
        let changes = accessToken.map { Self.hash(of: $0) } ?? changes
        let token = try token(subject, at: provider, email: email, changes: changes)
        let members = try await answer(
            .signInWithIdp, signIn(postBody(token, at: provider, accessToken: accessToken), idToken: idToken))
        return Session(
            idToken: try #require(members.string("idToken"), "\(members.message ?? "")"),
            refreshToken: try #require(members.string("refreshToken")))
    }

    /// A credential that came back, since its identity is another account's.
    func pendingCredential(changes: JSONObject = [:]) async throws -> (text: String, idToken: String) {
        _ = try await session("bea", at: "oidc.bold")
        let idToken = try token("bea", at: "oidc.bold", changes: changes)
        var request = signIn(postBody(idToken, at: "oidc.bold"), idToken: try await session().idToken)
        request["returnIdpCredential"] = true
        let members = try await answer(.signInWithIdp, request)
        return (text: try #require(members.string("pendingToken"), "\(members.message ?? "")"), idToken: idToken)
    }

    /// Sends a request before the row's.
    @discardableResult
    func answer(_ operation: ToolkitOperation, _ request: JSONObject) async throws -> JSONObject {
        let response = try await installation.respond(
            .post, client.path(operation) + "?key=" + client.apiKey, fields: client.fields, body: request.serialized())
        let bytes = Array(response.body.readableBytesView)
        return bytes.isEmpty ? JSONObject() : try WireSupport.object(bytes)
    }

    /// Sends the request of the row.
    func respond(to row: ToolkitWireRow, _ body: [UInt8]) async throws -> BrokerResponse {
        var fields = client.fields
        fields[.contentType] = row.contentType
        return try await installation.respond(row.method, row.target, fields: fields, body: body)
    }

    // MARK: The operator

    func disable(_ session: Session) throws {
        let (operations, account) = (installation.service.operations, try account(of: session))
        try store.model.transact(.write) { try operations.setDisabled(true, account, in: $0) }
    }

    func endSessions(of session: Session) throws {
        let (operations, account) = (installation.service.operations, try account(of: session))
        let now = installation.clock.now()
        try store.model.transact(.write) { try operations.endSessions(of: account, in: $0, now: now) }
    }

    func setCustomClaims(_ json: String, of session: Session) throws {
        let (operations, account) = (installation.service.operations, try account(of: session))
        var change = AccountChange()
        change.customClaims = .set(try #require(CustomClaims(json: json)))
        let now = installation.clock.now()
        _ = try store.model.transact(.write) { [change] in
            try operations.update(account, by: change, in: $0, now: now)
        }
    }

    /// Gives the account of a session identities at further providers.
    func addIdentities(_ count: Int, to session: Session) throws {
        let (account, now) = (try account(of: session), installation.clock.now())
        try store.model.transact(.write) { transaction in
            for number in 0..<count {
                let key = IdentityKey(issuer: "https://login.p\(number).example", subject: "ada")
                let identity = VerifiedIdentity(key, providerID: "oidc.p\(number)")
                try transaction.insert(AccountIdentity(identity, of: account, at: now))
            }
        }
    }

    private func account(of session: Session) throws -> AccountID {
        try installation.service.tokens.verify(session.idToken, now: installation.clock.now()).account
    }
}
