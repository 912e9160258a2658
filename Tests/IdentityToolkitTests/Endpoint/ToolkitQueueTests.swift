// SPDX-License-Identifier: Apache-2.0

import Accounts
import Admission
import HTTPTypes
import JOSE
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerTesting
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// Who gets the places of what waits, where the accounts sign with an RSA key and the store does not write.
struct ToolkitQueueTests {
    private let store = HeldAccountStore()
    private let installation: ToolkitInstallation
    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    init() throws {
        var options = ToolkitInstallation.Options()
        options.accounts = store
        options.accountKey = try SharedRSAKeys.pem(1)
        installation = try ToolkitInstallation(options: options)
    }

    private static func address(_ number: Int) throws -> IPAddress {
        try #require(IPAddress(bytes: [10, 0, UInt8(number / 256), UInt8(number % 256)]))
    }

    private func send(
        _ path: String, _ members: JSONObject, from client: IPAddress?
    ) async throws -> EventLoopFuture<Int> {
        let request = BrokerRequest(
            head: HTTPRequest(
                method: .post, scheme: "https", authority: "auth.example.com",
                path: path + "?key=" + ToolkitInstallation.apiKey),
            body: ByteBuffer(bytes: members.serialized()), client: client)
        let (broker, loop) = (installation.broker, loop)
        let response = try await loop.submit { broker.response(to: request, on: loop) }.get()
        return response.map { $0.head.status.code }
    }

    private func refresh(_ token: String, from client: IPAddress?) async throws -> EventLoopFuture<Int> {
        try await send(
            "/securetoken.googleapis.com/v1/token",
            ["grant_type": "refresh_token", "refresh_token": .string(token)], from: client)
    }

    private func signIn(_ subject: String, from client: IPAddress?) async throws -> EventLoopFuture<Int> {
        let body = ToolkitInstallation.postBody(try installation.token(subject))
        return try await send(
            ToolkitInstallation.toolkit + "accounts:signInWithIdp",
            ["requestUri": "http://localhost", "returnSecureToken": true, "postBody": .string(body)], from: client)
    }

    /// The number of responses of each status, once the store writes. Before that, everything happens that does not wait
    /// for it.
    private func statuses(_ responses: [EventLoopFuture<Int>]) async throws -> [Int: Int] {
        for _ in 0..<200 { try await loop.submit {}.get() }
        store.release()
        let statuses = try await EventLoopFuture.whenAllSucceed(responses, on: loop).get()
        return Dictionary(grouping: statuses) { $0 }.mapValues(\.count)
    }

    /// Signs a user in, and returns the refresh token of the session.
    private func session(of subject: String) async throws -> String {
        let (_, members) = try await installation.signIn(try installation.token(subject))
        return try #require(members.string("refreshToken"))
    }

    @Test func `sessions of 40 identities at as many addresses leave a place to another refresh`() async throws {
        let honest = try await session(of: "ada")
        var tokens: [(number: Int, text: String)] = []
        for _ in 0..<8 {
            // The clock goes on, so that no token is the same as another one.
            installation.clock.advance(by: 1)
            for number in 0..<40 { tokens.append((number, try await session(of: "user-\(number)"))) }
        }
        // The first refresh of a day after that of the sign-in writes.
        installation.clock.advance(by: 86_400)
        store.hold(.write)
        var crowd: [EventLoopFuture<Int>] = []
        for token in tokens { crowd.append(try await refresh(token.text, from: try Self.address(token.number))) }
        let last = try await refresh(honest, from: try Self.address(40))
        let statuses = try await statuses(crowd)
        #expect(try await last.get() == 200)
        #expect(statuses[200, default: 0] + statuses[503, default: 0] == 320)
        #expect((200..<256).contains(statuses[200, default: 0]), "\(statuses)")
    }

    @Test func `sign-ins from one address leave places to those from another one`() async throws {
        // The keys of the provider are known.
        _ = try await session(of: "eve")
        store.hold(.write)
        let address = try Self.address(1)
        var crowd: [EventLoopFuture<Int>] = []
        for number in 0..<120 { crowd.append(try await signIn("user-\(number)", from: address)) }
        let other = try await signIn("ada", from: try Self.address(2))
        let statuses = try await statuses(crowd)
        #expect(try await other.get() == 200)
        #expect(statuses[503] == 120 - 85, "\(statuses)")
    }

    /// The answer about a token that is none is a success (RFC 7009 section 2.2), so nothing else holds an address back.
    @Test func `revocations of invented refresh tokens from one address leave places to those from another one`()
        async throws
    {
        store.hold(.write)
        let toolkit = try #require(installation.broker.part(IdentityToolkit.self))
        let key = try #require(SuccessorKeys(sealingKeys: [[UInt8](repeating: 7, count: 32)]).current)
        func revoke(from number: Int) throws -> EventLoopFuture<Int> {
            let token = AppRefreshToken(
                session: AccountSession.ID(), seed: [UInt8](repeating: 1, count: 32), under: key)
            return toolkit.end(
                refreshToken: token.text, of: "shop", for: try Self.address(number), on: loop
            ).map { _ in 200 }.recover { _ in 503 }
        }
        let crowd = try (0..<400).map { _ in try revoke(from: 1) }
        let other = try revoke(from: 2)
        let statuses = try await statuses(crowd)
        #expect(try await other.get() == 200)
        #expect(statuses[503] == 400 - 341, "\(statuses)")
    }
}
