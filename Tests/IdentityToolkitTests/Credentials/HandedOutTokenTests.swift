// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import SingleUse
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// The ID token that `GoogleAuthProvider` keeps of an error or of a popup, and that the SDK sends without its nonce.
struct HandedOutTokenTests {
    private typealias Answer = (status: Int, members: JSONObject)
    private static let used = "INVALID_IDP_RESPONSE"
    private static let otherKey = "other-4f1c0000"

    private struct Scene: Sendable {
        let scene: TicketScene

        init(interposing store: (@Sendable (InMemorySingleUseStore) -> any SingleUseStore)? = nil) throws {
            scene = try TicketScene { options in
                options.interposing = store
                options.apps.append(
                    SDKApp(
                        name: "other", apiKey: HandedOutTokenTests.otherKey,
                        authorizedDomains: ["app.example.com", "capacitor://localhost"],
                        nativeAudiences: ["acme", "bold"].map {
                            SDKApp.NativeAudience(provider: $0, audience: ToolkitInstallation.audience)
                        }))
            }
        }

        var installation: ToolkitInstallation { scene.installation }

        /// An ID token of a login at the handler page: its audience is the broker, its nonce the broker's own.
        func token(
            _ subject: String, at provider: String = "oidc.bold", changes: JSONObject = [:]
        ) throws -> String {
            var all: JSONObject = ["aud": "broker", "jti": .string(Base64URL.encode(SecureRandom.bytes(8)))]
            for change in changes.members { all[change.name] = change.value }
            return try installation.token(subject, at: provider, nonce: "of-the-broker", changes: all)
        }

        /// Redeems a ticket of a login that ended with the token.
        func redeem(
            _ token: String, _ authType: AuthType = .signInViaPopup, of subject: String,
            at provider: String = "oidc.bold",
            email: String? = nil, idToken: String? = nil, fields: HTTPFields = [.origin: ToolkitInstallation.origin]
        ) async throws -> Answer {
            let ticket = SignInTicket()
            let issuer = try #require(installation.providers[provider]).issuer
            let now = installation.clock.now()
            let record = SignInTicketRecord(
                app: "web", authType: authType, binding: SessionBinding(sessionID: TicketScene.session),
                credential: PendingCredential(
                    VerifiedIdentity(
                        IdentityKey(issuer: issuer, subject: subject), providerID: provider,
                        email: email.flatMap { EmailAddress($0) }, isEmailProved: email != nil),
                    claims: ["sub": .string(subject)], idToken: token, accessToken: "access", verifiedAt: now,
                    authTime: now - 100))
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            _ = try await installation.singleUse.put(
                ticket.key, value: try #require(ticket.seal(record)), owner: nil, lifetime: .seconds(300), on: loop
            ).get()
            return try await send(TicketScene.request(ticket, idToken: idToken), fields: fields)
        }

        /// Sends a credential as the SDK for JavaScript makes it of an error or of a result.
        func present(
            _ token: String, at provider: String = "oidc.bold", idToken: String? = nil, autoCreate: Bool? = nil,
            nonce: String? = nil, key: String = ToolkitInstallation.apiKey,
            fields: HTTPFields = [.origin: ToolkitInstallation.origin]
        ) async throws -> Answer {
            let nonce = nonce.map { "&nonce=" + $0 } ?? ""
            var body: JSONObject = [
                "requestUri": "http://localhost", "returnSecureToken": true,
                "postBody": .string("&id_token=\(token)&access_token=access&providerId=\(provider)\(nonce)"),
            ]
            if let idToken { body["idToken"] = .string(idToken) }
            if let autoCreate { body["autoCreate"] = .bool(autoCreate) }
            return try await send(body, key: key, fields: fields)
        }

        func send(
            _ body: JSONObject, key: String = ToolkitInstallation.apiKey,
            fields: HTTPFields = [.origin: ToolkitInstallation.origin]
        ) async throws -> Answer {
            let response = try await installation.respond(
                .post, ToolkitInstallation.toolkit + "accounts:signInWithIdp?key=" + key, fields: fields,
                body: body.serialized())
            let bytes = Array(response.body.readableBytesView)
            return (response.head.status.code, bytes.isEmpty ? JSONObject() : try WireSupport.object(bytes))
        }

        /// Ada, who signs in with another provider, and the token of her login with this one, which needs confirmation.
        func conflict() async throws -> (ada: JSONObject, token: String, pendingToken: String) {
            let (_, ada) = try await installation.signIn(installation.token("ada", email: "ada@example.com"))
            let token = try token("ada-2")
            let conflict = try await redeem(token, of: "ada-2", email: "ada@example.com")
            try #require(conflict.members["needConfirmation"] == true)
            #expect(conflict.members.string("oauthIdToken") == token)
            return (ada, token, try #require(conflict.members.string("pendingToken")))
        }
    }

    // MARK: After an error

    @Test func `after needConfirmation it links, without its nonce and for the audience of the broker`() async throws {
        let scene = try Scene()
        let (ada, token, _) = try await scene.conflict()
        let linked = try await scene.present(token, idToken: ada.string("idToken"))
        #expect(linked.status == 200, "\(linked.members.message ?? "")")
        #expect(linked.members["localId"] == ada["localId"] && linked.members.string("federatedId") == "ada-2")
        #expect(linked.members.string("oauthIdToken") == token && linked.members.string("email") == "ada@example.com")
    }

    @Test func `after credential-already-in-use it signs in, with the time of the token`() async throws {
        let scene = try Scene()
        let (_, ada) = try await scene.installation.signIn(
            scene.installation.token("ada", at: "oidc.bold"), at: "oidc.bold")
        let (_, bea) = try await scene.installation.signIn(scene.installation.token("bea"))
        let token = try scene.token("ada")
        let inUse = try await scene.redeem(token, .linkViaPopup, of: "ada", idToken: bea.string("idToken"))
        #expect(inUse.members.string("errorMessage") == "FEDERATED_USER_ID_ALREADY_LINKED")
        let signedIn = try await scene.present(token)
        #expect(signedIn.status == 200 && signedIn.members["localId"] == ada["localId"])
        let verified = try scene.installation.service.tokens.verify(
            signedIn.members.string("idToken") ?? "", now: scene.installation.clock.now())
        #expect(verified.authTime == scene.installation.clock.now() - 100)
    }

    @Test(arguments: [true, false])
    func `it and its pending token have one use together`(isTokenFirst: Bool) async throws {
        let scene = try Scene()
        let (ada, token, pendingToken) = try await scene.conflict()
        func pending() async throws -> Answer {
            try await scene.send([
                "requestUri": "http://localhost", "pendingToken": .string(pendingToken),
                "idToken": ada["idToken"] ?? "",
            ])
        }
        func handedOut() async throws -> Answer { try await scene.present(token, idToken: ada.string("idToken")) }
        #expect(try await (isTokenFirst ? handedOut() : pending()).status == 200)
        // It is unlinked, since the server would say first that it is linked.
        let removed = try await scene.installation.post(
            ToolkitInstallation.toolkit + "accounts:update",
            ["idToken": ada["idToken"] ?? "", "deleteProvider": ["oidc.bold"]])
        #expect(removed.status == 200)
        for answer in [try await handedOut(), try await pending()] {
            #expect(TicketScene.code(answer) == Self.used)
        }
    }

    @Test func `of a native credential it is the same, and uses up the credential`() async throws {
        let scene = try Scene()
        let (_, ada) = try await scene.installation.signIn(scene.installation.token("ada", email: "ada@example.com"))
        let token = try scene.installation.token("ada-2", at: "oidc.bold", email: "ada@example.com")
        let conflict = try await scene.present(token, nonce: "raw-nonce")
        #expect(conflict.members["needConfirmation"] == true)
        let linked = try await scene.present(token, idToken: ada.string("idToken"))
        #expect(linked.status == 200, "\(linked.members.message ?? "")")
        let again = try await scene.present(token, nonce: "raw-nonce")
        #expect(TicketScene.code(again) == Self.used)
    }

    // MARK: Bounds

    @Test func `it is taken for 30 minutes`() async throws {
        for (seconds, isTaken) in [(Int64(1799), true), (1800, false)] {
            let scene = try Scene()
            let (ada, token, _) = try await scene.conflict()
            scene.installation.clock.advance(by: seconds)
            let (_, fresh) = try await scene.installation.signIn(
                scene.installation.token("ada", email: "ada@example.com"))
            #expect(fresh["localId"] == ada["localId"])
            let late = try await scene.present(token, idToken: fresh.string("idToken"))
            #expect(isTaken ? late.status == 200 : late.status == 400, "\(seconds)")
        }
    }

    @Test func `another app gets nothing, nor does a page or program of no app`() async throws {
        let scene = try Scene()
        let (ada, token, _) = try await scene.conflict()
        let idToken = ada.string("idToken")
        let contents = scene.installation.store.contents
        let others: [Answer] = [
            try await scene.present(token, idToken: idToken, key: Self.otherKey),
            try await scene.present(token, key: Self.otherKey),
            try await scene.present(
                token, idToken: idToken, key: Self.otherKey, fields: [.origin: "capacitor://localhost"]),
            try await scene.present(token, idToken: idToken, fields: [:]),
            try await scene.present(token, idToken: idToken, fields: [.origin: "https://evil.example"]),
            try await scene.present(token, at: "oidc.acme", idToken: idToken),
            try await scene.present(token, idToken: idToken, nonce: "of-the-broker2"),
        ]
        for answer in others {
            #expect(answer.status == 400 && answer.members["localId"] == nil)
            #expect(answer.members.string("pendingToken") == nil)
        }
        #expect(scene.installation.store.contents == contents)
        // And its own page still can.
        #expect(try await scene.present(token, idToken: idToken).status == 200)
    }

    @Test func `the signed part alone is nothing, nor is a token that was never handed out`() async throws {
        let scene = try Scene()
        let (ada, token, _) = try await scene.conflict()
        let signed = token.prefix(upTo: try #require(token.lastIndex(of: ".")))
        let texts = [
            "\(signed).", "\(signed).\(Base64URL.encode([UInt8](repeating: 1, count: 64)))",
            try scene.token("ada-2"), try scene.token("ada-3"),
        ]
        for text in texts {
            let answer = try await scene.present(text, idToken: ada.string("idToken"))
            #expect(answer.status == 400 && answer.members["localId"] == nil)
        }
        #expect(try await scene.present(token, idToken: ada.string("idToken")).status == 200)
    }

    @Test func `what a program was handed is not kept`() async throws {
        let scene = try Scene()
        let (_, ada) = try await scene.installation.signIn(scene.installation.token("ada", email: "ada@example.com"))
        let token = try scene.token("ada-2")
        let conflict = try await scene.redeem(token, of: "ada-2", email: "ada@example.com", fields: [:])
        #expect(conflict.members["needConfirmation"] == true)
        let answer = try await scene.present(token, idToken: ada.string("idToken"))
        #expect(answer.status == 400 && answer.members["localId"] == nil)
    }

    // MARK: After a success

    @Test func `the credential of a popup re-authenticates the account, once, and does nothing else`() async throws {
        let scene = try Scene()
        let (_, bea) = try await scene.installation.signIn(scene.installation.token("bea"))
        let token = try scene.token("ada")
        let ada = try await scene.redeem(token, of: "ada").members
        #expect(ada.string("oauthIdToken") == token)
        // Neither a sign-in, nor a link to another account.
        #expect(TicketScene.code(try await scene.present(token)) == Self.used)
        #expect(TicketScene.code(try await scene.present(token, idToken: bea.string("idToken"))) == Self.used)
        let again = try await scene.present(token, autoCreate: false)
        #expect(again.status == 200 && again.members["localId"] == ada["localId"])
        #expect(TicketScene.code(try await scene.present(token, autoCreate: false)) == Self.used)
    }

    @Test func `it links to its account again, after it was unlinked there`() async throws {
        let scene = try Scene()
        let (_, ada) = try await scene.installation.signIn(scene.installation.token("ada"))
        let token = try scene.token("ada-2")
        let linked = try await scene.redeem(token, .linkViaPopup, of: "ada-2", idToken: ada.string("idToken"))
        #expect(linked.status == 200)
        #expect(
            TicketScene.code(try await scene.present(token, idToken: ada.string("idToken")))
                == "PROVIDER_ALREADY_LINKED")
        let removed = try await scene.installation.post(
            ToolkitInstallation.toolkit + "accounts:update",
            ["idToken": ada["idToken"] ?? "", "deleteProvider": ["oidc.bold"]])
        #expect(removed.status == 200)
        // It makes no account of its own, and enters none that another request made with it meanwhile.
        #expect(TicketScene.code(try await scene.present(token, autoCreate: false)) == "EMAIL_NOT_FOUND")
        #expect(try await scene.present(token, idToken: ada.string("idToken")).status == 200)
    }

    @Test func `where the identity is another account's by now, no credential of it is handed out`() async throws {
        let scene = try Scene()
        let (_, ada) = try await scene.installation.signIn(scene.installation.token("ada"))
        let token = try scene.token("ada-2")
        _ = try await scene.redeem(token, .linkViaPopup, of: "ada-2", idToken: ada.string("idToken"))
        _ = try await scene.installation.post(
            ToolkitInstallation.toolkit + "accounts:update",
            ["idToken": ada["idToken"] ?? "", "deleteProvider": ["oidc.bold"]])
        let (_, eve) = try await scene.installation.signIn(
            scene.installation.token("ada-2", at: "oidc.bold"), at: "oidc.bold")
        #expect(eve["localId"] != ada["localId"])
        #expect(try await scene.present(token, autoCreate: false).members["localId"] == nil)
        var body: JSONObject = ["requestUri": "http://localhost", "returnIdpCredential": true]
        body["postBody"] = .string("id_token=\(token)&providerId=oidc.bold")
        body["idToken"] = ada["idToken"]
        let inUse = try await scene.send(body)
        let pending = inUse.members["pendingToken"] ?? ""
        let entered = try await scene.send(["requestUri": "http://localhost", "pendingToken": pending])
        #expect(entered.members["localId"] == nil)
    }

    // MARK: The room

    @Test(arguments: [false, true])
    func `in a store that replicas share it is the same, and without room there no user is refused`(
        isFull: Bool
    ) async throws {
        let scene = try Scene(interposing: { store in
            FaultyStore(store) { isFull && $0.operation == .put && $0.lifetime == .seconds(1800) ? .isFull : .answers }
        })
        let (ada, token, pendingToken) = try await scene.conflict()
        let linked = try await scene.present(token, idToken: ada.string("idToken"))
        #expect(linked.status == (isFull ? 400 : 200))
        let pending = try await scene.send([
            "requestUri": "http://localhost", "pendingToken": .string(pendingToken), "idToken": ada["idToken"] ?? "",
        ])
        #expect(TicketScene.code(pending) == (isFull ? "200" : "PROVIDER_ALREADY_LINKED"))
    }

    @Test func `its room is its own: when it is full, sign-ins go on, and what waits has its place`() throws {
        let clock = TestClock()
        let store = InMemorySingleUseStore(capacity: 2, clock: clock.elapsed, wallClock: clock)
        func key(_ number: UInt8) -> SingleUseKey { SingleUseKey(bytes: [UInt8](repeating: number, count: 32)) }
        for number in 0..<2 as Range<UInt8> {
            #expect(store.putSpare(key(number), value: [1], owner: nil, seconds: 1800) == .stored)
        }
        #expect(store.putSpare(key(2), value: [1], owner: nil, seconds: 1800) == .full)
        for (number, seconds) in [(UInt8(3), Int64(60)), (4, 300)] {
            #expect(store.put(key(number), value: [1], owner: nil, seconds: seconds) == .stored)
        }
        #expect(store.read(key(0)) == [1] && store.read(key(2)) == nil)
        clock.advance(by: 1800)
        #expect(store.read(key(0)) == nil)
        #expect(store.putSpare(key(2), value: [1], owner: nil, seconds: 1800) == .stored)
    }
}
