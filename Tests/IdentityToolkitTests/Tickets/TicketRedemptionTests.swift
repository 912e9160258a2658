// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import Testing

@testable import IdentityToolkit

/// Tickets that apps redeem, as their SDKs write it.
struct TicketRedemptionTests {
    private static let refused = "INVALID_IDP_RESPONSE"

    @Test func `the SDK for JavaScript signs in`() async throws {
        let scene = try TicketScene()
        let ticket = try await scene.ticket(email: "ada@example.com", name: "Ada Lovelace")
        let (status, members) = try await scene.redeem(ticket)
        #expect(status == 200, "\(members.message ?? "")")
        #expect(members.string("providerId") == "oidc.acme")
        #expect(members.string("federatedId") == "ada")
        #expect(members.string("email") == "ada@example.com")
        #expect(members.string("fullName") == "Ada Lovelace")
        #expect(members.string("oauthIdToken") == "header.payload.signature")
        #expect(members.string("oauthAccessToken") == "access")
        #expect(members["isNewUser"] == true)
        #expect(members.string("refreshToken")?.isEmpty == false)
        #expect(members["oauthRefreshToken"] == nil)
        let token = try #require(members.string("idToken"))
        let tokens = scene.installation.service.tokens
        #expect(throws: Never.self) { try tokens.verify(token, now: scene.installation.clock.now()) }
    }

    @Test func `the SDK for iOS sends what it hashed at the start`() async throws {
        let scene = try TicketScene()
        let ticket = try await scene.ticket(
            .signInWithRedirect, for: .ios,
            boundTo: SessionBinding(startedWith: WireText(HandlerQueries.iosDigest)))
        let answer = try await scene.send(TicketScene.request(ticket, .ios, session: "ABCDEFGHIJ"), as: .ios)
        #expect(answer.status == 200, "\(answer.members.message ?? "")")
        #expect(answer.members.string("federatedId") == "ada")
    }

    @Test func `the SDK for Android sends the same text once more, whatever is in it`() async throws {
        let scene = try TicketScene()
        let session = WireText(HandlerQueries.androidSession)
        let ticket = try await scene.ticket(
            .signInWithRedirect, for: .android, boundTo: SessionBinding(startedWith: session))
        let answer = try await scene.send(TicketScene.request(ticket, .android, session: session), as: .android)
        #expect(answer.status == 200, "\(answer.members.message ?? "")")
        #expect(answer.members.string("federatedId") == "ada")
    }

    @Test(arguments: AuthType.allCases) func `each authType serves what it was begun for`(
        authType: AuthType
    ) async throws {
        let scene = try TicketScene()
        let isOfPage = authType != .signInWithRedirect
        let client: ToolkitWireClient = isOfPage ? .javaScript : .ios
        let (_, bea) = try await scene.installation.signIn(scene.installation.token("bea"))
        let idToken = try #require(bea.string("idToken"))

        func redeem(_ subject: String, idToken: String?) async throws -> TicketScene.Answer {
            let ticket = try await scene.ticket(authType, for: client, of: subject)
            return try await scene.send(TicketScene.request(ticket, client, idToken: idToken), as: client)
        }

        let alone = try await redeem("ada", idToken: nil)
        switch authType.purpose {
        case .signIn, .any:
            #expect(alone.status == 200)
            #expect(alone.members["isNewUser"] == true)
        case .link: #expect(TicketScene.code(alone) == Self.refused)
        // It makes no account, although the request does not say so.
        case .reauthentication: #expect(TicketScene.code(alone) == "EMAIL_NOT_FOUND")
        }

        let linking = try await redeem("cleo", idToken: idToken)
        switch authType.purpose {
        case .link, .any:
            // The account has an identity at this provider already.
            #expect(TicketScene.code(linking) == "PROVIDER_ALREADY_LINKED")
        case .signIn, .reauthentication: #expect(TicketScene.code(linking) == Self.refused)
        }

        // Into an account that exists.
        let again = try await redeem("bea", idToken: nil)
        #expect(TicketScene.code(again) == (authType.purpose == .link ? Self.refused : "200"))
        if again.status == 200 { #expect(again.members.string("localId") == bea.string("localId")) }
    }

    @Test(arguments: [AuthType.linkViaPopup, .linkViaRedirect])
    func `a ticket links the identity to the account of the session`(authType: AuthType) async throws {
        let scene = try TicketScene()
        let (_, bea) = try await scene.installation.signIn(scene.installation.token("bea"))
        let ticket = try await scene.ticket(authType, at: "oidc.bold")
        let linked = try await scene.redeem(ticket, idToken: bea.string("idToken"))
        #expect(linked.status == 200, "\(linked.members.message ?? "")")
        #expect(linked.members.string("localId") == bea.string("localId"))
        // From now on the linked identity enters the same account.
        let later = try await scene.redeem(try await scene.ticket(at: "oidc.bold"))
        #expect(later.members.string("localId") == bea.string("localId"))
    }

    @Test func `a session that is dead leaves the ticket alone`() async throws {
        let scene = try TicketScene()
        let (_, bea) = try await scene.installation.signIn(scene.installation.token("bea"))
        let ticket = try await scene.ticket(.linkViaPopup, at: "oidc.bold")
        let refused = try await scene.redeem(ticket, idToken: "a.b.c")
        #expect(TicketScene.code(refused) == "INVALID_ID_TOKEN")
        let linked = try await scene.redeem(ticket, idToken: bea.string("idToken"))
        #expect(linked.status == 200)
    }

    @Test func `where it is refused, the pending token goes on, and the ticket does not`() async throws {
        let scene = try TicketScene()
        let (_, ada) = try await scene.redeem(try await scene.ticket())
        let (_, bea) = try await scene.installation.signIn(
            scene.installation.token("bea", at: "oidc.bold"), at: "oidc.bold")
        // Ada's identity is not Bea's to link.
        let ticket = try await scene.ticket(.linkViaPopup)
        let idToken = try #require(bea.string("idToken"))
        let inUse = try await scene.redeem(ticket, idToken: idToken)
        #expect(inUse.status == 200)
        #expect(inUse.members.string("errorMessage") == "FEDERATED_USER_ID_ALREADY_LINKED")
        #expect(inUse.members["idToken"] == nil)
        let pending = try #require(inUse.members.string("pendingToken"))
        #expect(TicketScene.code(try await scene.redeem(ticket, idToken: idToken)) == Self.refused)

        let signedIn = try await scene.installation.signIn("", pendingToken: pending)
        #expect(signedIn.status == 200, "\(signedIn.members.message ?? "")")
        #expect(signedIn.members.string("localId") == ada.string("localId"))
        let twice = try await scene.installation.signIn("", pendingToken: pending)
        #expect(TicketScene.code(twice) == Self.refused)
    }

    @Test func `an address of another account needs confirmation, and links with the pending token`() async throws {
        let scene = try TicketScene()
        let first = try await scene.redeem(try await scene.ticket(email: "ada@example.com"))
        #expect(first.status == 200)
        let other = try await scene.redeem(
            try await scene.ticket(of: "ada-2", at: "oidc.bold", email: "ada@example.com"))
        #expect(other.status == 200)
        #expect(other.members["needConfirmation"] == true)
        #expect(other.members["verifiedProvider"]?.arrayValue == ["oidc.acme"])
        let pending = try #require(other.members.string("pendingToken"))
        let linked = try await scene.installation.signIn(
            "", idToken: first.members.string("idToken"), pendingToken: pending)
        #expect(linked.status == 200, "\(linked.members.message ?? "")")
        #expect(linked.members.string("localId") == first.members.string("localId"))
    }
}
