// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// A broker with an app of each SDK, and tickets as a login at the handler page leaves them in the store.
struct TicketScene: Sendable {
    typealias Answer = (status: Int, members: JSONObject)

    static let handler = "https://auth.example.com/__/auth/handler"
    /// The `sessionId` that the SDK gets beside a ticket.
    static let session: WireText = "session-of-the-page"

    let installation: ToolkitInstallation

    init(_ change: (inout ToolkitInstallation.Options) -> Void = { _ in }) throws {
        var options = ToolkitInstallation.Options()
        options.apps = ToolkitWireClient.allCases.filter { $0 != .javaScript }.map(\.app)
        change(&options)
        installation = try ToolkitInstallation(options: options)
    }

    /// What was verified of a user.
    func signIn(
        _ subject: String, at provider: String = "oidc.acme", email: String? = nil, accessToken: String? = "access"
    ) throws -> VerifiedSignIn {
        let issuer = try #require(installation.providers[provider]).issuer
        let now = installation.clock.now()
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(subject), "aud": "broker", "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber(now + 300)), "jti": .string(Base64URL.encode(SecureRandom.bytes(16))),
        ]
        if let email {
            claims["email"] = .string(email)
            claims["email_verified"] = true
        }
        return VerifiedSignIn(
            issuer: issuer, subject: subject, claims: Claims(claims), idToken: Secret("header.payload.signature"),
            accessToken: accessToken.map { Secret($0) }, refreshToken: Secret("refresh"), expiresIn: .seconds(3600),
            rawNonce: "nonce")
    }

    /// Puts a ticket into the store.
    /// - Parameters:
    ///   - issuer: The ID of the provider that issued the ID token; `nil` for that of the ticket.
    ///   - age: The time since the verification, in seconds.
    func ticket(
        _ authType: AuthType = .signInViaPopup, for client: ToolkitWireClient = .javaScript,
        boundTo binding: SessionBinding = SessionBinding(sessionID: TicketScene.session), of subject: String = "ada",
        at provider: String = "oidc.acme", issuedBy issuer: String? = nil, email: String? = nil, name: String? = nil,
        age: Int64 = 0
    ) async throws -> SignInTicket {
        let ticket = SignInTicket()
        let record = SignInTicketRecord(
            app: client.app.name, authType: authType, binding: binding,
            credential: PendingCredential(
                try signIn(subject, at: issuer ?? provider, email: email), providerID: provider, isApple: false,
                name: name,
                now: installation.clock.now() - age))
        let value = try #require(ticket.seal(record))
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let put = try await installation.singleUse.put(
            ticket.key, value: value, owner: nil, lifetime: .seconds(SignInTicket.lifetime), on: loop
        ).get()
        #expect(put == .stored)
        return ticket
    }

    /// The request of a redemption as the SDK writes it.
    static func request(
        _ ticket: SignInTicket, _ client: ToolkitWireClient = .javaScript, session: WireText? = TicketScene.session,
        idToken: String? = nil
    ) -> JSONObject {
        var request: JSONObject = ["requestUri": .string(ticket.url(at: handler)), "returnSecureToken": true]
        switch client {
        case .javaScript:
            request["postBody"] = .null
            request["tenantId"] = .null
            request["returnIdpCredential"] = true
        case .ios:
            request["postBody"] = "providerId=oidc.acme"
            request["returnIdpCredential"] = true
            request["autoCreate"] = true
        case .android:
            request["returnIdpCredential"] = true
        case .cpp: break
        }
        if let session { request["sessionId"] = .text(session) }
        if let idToken { request["idToken"] = .string(idToken) }
        return request
    }

    /// Sends a request of an app.
    func send(_ request: JSONObject, as client: ToolkitWireClient = .javaScript) async throws -> Answer {
        let response = try await installation.respond(
            .post, client.path(.signInWithIdp) + "?key=" + client.apiKey, fields: client.fields,
            body: request.serialized())
        let bytes = Array(response.body.readableBytesView)
        return (response.head.status.code, bytes.isEmpty ? JSONObject() : try WireSupport.object(bytes))
    }

    /// Redeems a ticket as the SDK for JavaScript.
    func redeem(
        _ ticket: SignInTicket, session: WireText? = TicketScene.session, idToken: String? = nil
    ) async throws -> Answer {
        try await send(Self.request(ticket, session: session, idToken: idToken))
    }

    /// The code of an answer, or its status if it has none.
    static func code(_ answer: Answer) -> String {
        answer.members.message.map { String($0.prefix { $0 != " " }) } ?? "\(answer.status)"
    }
}
