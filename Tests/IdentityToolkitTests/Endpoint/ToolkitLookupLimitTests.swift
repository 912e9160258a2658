// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import OIDCBroker
import OIDCBrokerTesting
import StoreTesting
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// How often an account is looked up: every page load, and not as often as a script can ask.
struct ToolkitLookupLimitTests {
    private static let path = ToolkitInstallation.toolkit + "accounts:lookup"

    private let loopback: AdminInstallation
    private var installation: ToolkitInstallation { loopback.installation }

    init() throws { loopback = try AdminInstallation() }

    /// Signs a user in with a new token, and returns the ID token of the session.
    private func signIn(_ subject: String = "ada") async throws -> String {
        // The clock goes on, so that no token is the same as another one.
        installation.clock.advance(by: 1)
        let (_, members) = try await installation.signIn(try installation.token(subject))
        return try #require(members.string("idToken"))
    }

    private func lookup(_ idToken: String) async throws -> (status: Int, message: String?) {
        let (status, members) = try await installation.post(Self.path, ["idToken": .string(idToken)])
        return (status, members.message)
    }

    /// Looks an account up as often as it may be, and returns how often that is. The next one is an empty 503, which
    /// signs no user out.
    private func useUp(_ idToken: String, atMost count: Int = 700) async throws -> Int {
        for number in 0..<count {
            let (status, message) = try await lookup(idToken)
            guard status == 200 else {
                #expect(status == 503 && message == nil)
                return number
            }
        }
        return count
    }

    @Test func `a page that loads each second for ten minutes is looked up each time`() async throws {
        let idToken = try await signIn()
        for _ in 0..<600 {
            #expect(try await lookup(idToken).status == 200)
            installation.clock.advance(by: 1)
        }
    }

    @Test func `a session gets 120 lookups at once and two a second, and holds up no other session`() async throws {
        let (first, second) = (try await signIn(), try await signIn())
        #expect(try await useUp(first) == 120)
        #expect(try await lookup(second).status == 200)
        installation.clock.advance(by: 1)
        #expect(try await useUp(first) == 2)
    }

    @Test func `an account gets 600 lookups at once and ten a second, and holds up no other account`() async throws {
        var sessions: [String] = []
        for _ in 0..<6 { sessions.append(try await signIn()) }
        for session in sessions[..<5] { #expect(try await useUp(session) == 120) }
        #expect(try await useUp(sessions[5]) == 0)
        let other = try await signIn("eve")
        #expect(try await lookup(other).status == 200)
        installation.clock.advance(by: 60)
        #expect(try await lookup(sessions[5]).status == 200)
    }

    @Test func `the token of a session that was ended uses up no lookups of the account`() async throws {
        let (dead, live) = (try await signIn(), try await signIn())
        let kept = try installation.service.tokens.verify(live, now: installation.clock.now()).session
        try installation.store.transact(.write) {
            try $0.removeSessions(of: kept.account, begunWith: nil, except: kept.id)
        }
        for second in 0..<300 {
            for _ in 0..<(second == 0 ? 120 : 2) {
                #expect(try await lookup(dead).message == "TOKEN_EXPIRED")
            }
            #expect(try await lookup(dead).status == 503)
            installation.clock.advance(by: 1)
        }
        #expect(try await useUp(live) == 120)
    }

    @Test func `a server of this machine looks up as often as it likes, and uses up nothing`() async throws {
        let idToken = try await signIn()
        let body = (["idToken": .string(idToken)] as JSONObject).serialized()
        for _ in 0..<700 {
            let response = try await loopback.respond(
                .post, Self.path + "?key=" + ToolkitInstallation.apiKey, authorization: nil, body: body)
            #expect(response.head.status == .ok)
        }
        #expect(try await useUp(idToken) == 120)
    }
}
