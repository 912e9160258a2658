// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

/// An app goes from one team to another, and its users with it.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AppleTransferTests {
    @Test(.attack(.appleTransfer)) func `a user is found again by the transfer identifier`() async throws {
        try await AppleSession.run { session in
            let before = try await session.signIn().signIn
            let old = AppleTransfer(relyingParty: session.relyingParty, clock: session.clock)
            let transfer = try await old.transferSubject(
                for: before.subject, recipientTeam: Apple.otherTeamID, using: AppleSession.group)
            #expect(transfer != before.subject)

            let key = MockApple.DeveloperKey.make(teamID: Apple.otherTeamID)
            try session.apple.register(key)
            session.apple.transfer(client: Apple.servicesID, toTeam: Apple.otherTeamID)
            let clientSecret = session.apple.clientSecret(try key.appleKey())
            let new = AppleTransfer(
                relyingParty: session.relyingParty(clientID: Apple.servicesID, clientSecret: clientSecret),
                clock: session.clock)
            let user = try await new.user(forTransfer: transfer, using: AppleSession.group)
            #expect(user.subject != before.subject)
            #expect(user.email == "ada@example.com")
            #expect(user.isPrivateEmail == false)

            // A user who signs in before the transfer request brings the identifier along.
            try session.clientSecret.replaceKey(key.appleKey())
            let after = try await session.signIn().signIn
            #expect(after.subject == user.subject)
            #expect(AppleClaims(after.claims).transferSubject == transfer)
        }
    }

    @Test(.attack(.appleTransfer)) func `one access token serves a whole migration, until it expires`() async throws {
        try await AppleSession.run { session in
            let subject = try await session.signIn().signIn.subject
            session.apple.resetRecordedRequests()
            let transfer = AppleTransfer(relyingParty: session.relyingParty, clock: session.clock)
            func ask() async throws {
                _ = try await transfer.transferSubject(
                    for: subject, recipientTeam: Apple.otherTeamID, using: AppleSession.group)
            }
            for _ in 0..<3 { try await ask() }
            #expect(
                session.paths == [
                    "/auth/token", "/auth/usermigrationinfo", "/auth/usermigrationinfo", "/auth/usermigrationinfo",
                ])
            let token = try #require(session.requests(to: "/auth/token").first)
            #expect(token.parameter("grant_type") == "client_credentials")
            #expect(token.parameter("scope") == "user.migration")
            #expect(token.parameter("client_id") == Apple.servicesID)
            let request = try #require(session.requests(to: "/auth/usermigrationinfo").first)
            #expect(request.header("authorization")?.hasPrefix("Bearer ") == true)
            #expect(request.parameter("sub") == subject)
            #expect(request.parameter("target") == Apple.otherTeamID)
            #expect(request.parameter("client_secret") != nil)
            session.clock.advance(by: 3600)
            try await ask()
            #expect(session.requests(to: "/auth/token").count == 2)
        }
    }

    @Test(.attack(.appleTransfer)) func `who is not known is Apple's error, and the next call works`() async throws {
        try await AppleSession.run { session in
            let subject = try await session.signIn().signIn.subject
            let transfer = AppleTransfer(relyingParty: session.relyingParty, clock: session.clock)
            let error = await #expect(throws: RelyingPartyError.self) {
                _ = try await transfer.transferSubject(
                    for: "000000.nobody.0000", recipientTeam: Apple.otherTeamID, using: AppleSession.group)
            }
            #expect(error?.step == .userMigration)
            #expect(error?.providerError?.code == "invalid_request")
            let unknown = await #expect(throws: RelyingPartyError.self) {
                _ = try await transfer.user(forTransfer: "000000.nobody.r", using: AppleSession.group)
            }
            #expect(unknown?.providerError?.code == "invalid_request")
            let identifier = try await transfer.transferSubject(
                for: subject, recipientTeam: Apple.otherTeamID, using: AppleSession.group)
            #expect(!identifier.isEmpty)
        }
    }

    @Test(.attack(.appleTransfer)) func `a text that is not a team id is not sent`() async throws {
        try await AppleSession.run { session in
            let transfer = AppleTransfer(relyingParty: session.relyingParty, clock: session.clock)
            let error = await #expect(throws: RelyingPartyError.self) {
                _ = try await transfer.transferSubject(
                    for: "000000.a.0000", recipientTeam: "nope", using: AppleSession.group)
            }
            #expect(error?.step == .userMigration)
            #expect(session.paths.isEmpty)
        }
    }

    @Test(.attack(.appleTransfer)) func `a transfer for a bundle id authenticates with the bundle id`() async throws {
        try await AppleSession.run { session in
            let verified = try await session.verify(try session.credential())
            let transfer = AppleTransfer(
                relyingParty: session.relyingParty, bundleID: Apple.bundleID, clock: session.clock)
            _ = try await transfer.transferSubject(
                for: verified.subject, recipientTeam: Apple.otherTeamID, using: AppleSession.group)
            let clientIDs = session.requests(to: "/auth/usermigrationinfo").map { $0.parameter("client_id") }
            #expect(clientIDs == [Apple.bundleID])
        }
    }
}
