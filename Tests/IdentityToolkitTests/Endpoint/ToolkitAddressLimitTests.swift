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

/// The limits of one address on the wire of the SDKs: on refused requests, and on new accounts.
struct ToolkitAddressLimitTests {
    private typealias Installation = ToolkitInstallation
    private static let crowd = IPAddress("192.0.2.1")
    private static let person = IPAddress("192.0.2.2")

    private func installation(failures: Int = 3, accounts: (any AccountStore)? = nil) throws -> Installation {
        var options = Installation.Options()
        options.accounts = accounts
        options.requestLimits.failuresPerSecond = 1
        options.requestLimits.failuresBurst = failures
        options.hasTestClockOnly = true
        var installation = try Installation(options: options)
        installation.client = Self.crowd
        return installation
    }

    /// Sends a request with another key than any app's.
    private func guess(_ installation: Installation) async throws -> BrokerResponse {
        try await installation.respond(
            .post, Installation.toolkit + "accounts:lookup?key=guess", fields: [.origin: Installation.origin],
            body: Array("{}".utf8))
    }

    /// Sends guesses until one is not answered any more.
    private func exhaust(_ installation: Installation) async throws -> BrokerResponse {
        for _ in 0..<3 { #expect(try await guess(installation).head.status == .badRequest) }
        return try await guess(installation)
    }

    @Test func `over the limit everything is an empty 503, which signs no user out`() async throws {
        var installation = try installation()
        let person = try await installation.signIn(try installation.token("ada"))
        #expect(person.status == 200)
        let response = try await exhaust(installation)
        #expect(response.head.status == .serviceUnavailable)
        #expect(response.body.readableBytes == 0)
        #expect(response.head.headerFields[.contentType] == "text/plain")
        #expect(response.head.headerFields[.retryAfter] != nil)
        #expect(response.head.headerFields[.accessControlAllowOrigin] == Installation.origin)
        // A preflight asks for nothing, and the keys are documents.
        let preflight = try await installation.respond(
            .options, Installation.toolkit + "accounts:lookup?key=guess", fields: [.origin: Installation.origin])
        #expect(preflight.head.status == .noContent)
        for client in [Self.person, nil] {
            installation.client = client
            #expect(try await guess(installation).head.status == .badRequest)
        }
    }

    @Test func `they share the bucket of the broker's own endpoints`() async throws {
        let installation = try installation()
        _ = try await exhaust(installation)
        let next = try await installation.respond(
            .post, "/__/auth/token", fields: [.contentType: "application/x-www-form-urlencoded"])
        #expect(next.head.status == .tooManyRequests)
        installation.clock.advance(by: 1)
        #expect(try await guess(installation).head.status == .badRequest)
    }

    @Test func `what succeeds never counts`() async throws {
        let installation = try installation(failures: 1)
        for number in 0..<20 {
            let signedIn = try await installation.signIn(try installation.token("person-\(number)"))
            #expect(signedIn.status == 200)
        }
        #expect(try await guess(installation).head.status == .badRequest)
    }

    // MARK: Requests that are under way at once

    /// Sends so many requests about an account in one turn of an event loop, and lets all of them look for it then.
    private func statuses(
        of count: Int, about idToken: String, _ installation: Installation, _ store: HeldAccountStore
    ) async throws -> [Int] {
        let request = BrokerRequest(
            head: HTTPRequest(
                method: .post, scheme: "https", authority: "auth.example.com",
                path: Installation.toolkit + "accounts:lookup?key=" + Installation.apiKey),
            body: ByteBuffer(bytes: (["idToken": .string(idToken)] as JSONObject).serialized()), client: Self.crowd)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let broker = installation.broker
        store.hold()
        let responses = try await loop.submit {
            (0..<count).map { _ in broker.response(to: request, on: loop) }
        }.get()
        store.release()
        return try await EventLoopFuture.whenAllSucceed(responses, on: loop).get().map { $0.head.status.code }
    }

    @Test func `of refused requests that are under way at once, those beyond the burst are empty 503s`() async throws {
        let store = HeldAccountStore()
        let installation = try installation(accounts: store)
        let (_, ada) = try await installation.signIn(try installation.token("ada"))
        let idToken = try #require(ada.string("idToken"))
        let deleted = try await installation.post(
            Installation.toolkit + "accounts:delete", ["idToken": .string(idToken)])
        #expect(deleted.status == 200)
        let statuses = try await statuses(of: 9, about: idToken, installation, store)
        #expect(statuses == Array(repeating: 400, count: 3) + Array(repeating: 503, count: 6))
        #expect(try await guess(installation).head.status == .serviceUnavailable)
        installation.clock.advance(by: 1)
        #expect(try await guess(installation).head.status == .badRequest)
    }

    @Test func `successful requests that are under way at once count no longer when they have ended`() async throws {
        let store = HeldAccountStore()
        let installation = try installation(accounts: store)
        let (_, ada) = try await installation.signIn(try installation.token("ada"))
        let idToken = try #require(ada.string("idToken"))
        for _ in 0..<3 {
            #expect(try await statuses(of: 3, about: idToken, installation, store) == [200, 200, 200])
        }
        #expect(try await statuses(of: 4, about: idToken, installation, store) == [200, 200, 200, 503])
        for _ in 0..<3 { #expect(try await guess(installation).head.status == .badRequest) }
        #expect(try await guess(installation).head.status == .serviceUnavailable)
    }

    // MARK: Sign-ins

    @Test func `native sign-ins of an identity count for the network that they come from`() async throws {
        var installation = try installation()
        var number = 0
        func signIn(_ installation: Installation) async throws -> String? {
            // The same token cannot be used twice.
            number += 1
            let token = try installation.token("ada", changes: ["jti": .string("\(number)")])
            return try await installation.signIn(token).members.message
        }
        let networks: [(IPAddress?, IPAddress?)] = [
            (Self.crowd, nil), (IPAddress("2001:db8:1:2::1"), IPAddress("2001:db8:1:3::1")),
        ]
        for (client, neighbor) in networks {
            installation.client = client
            for _ in 0..<30 { #expect(try await signIn(installation) == nil) }
            #expect(try await signIn(installation) == "TOO_MANY_ATTEMPTS_TRY_LATER")
            // Of an IPv6 address the /48 counts.
            guard let neighbor else { continue }
            installation.client = neighbor
            #expect(try await signIn(installation) == "TOO_MANY_ATTEMPTS_TRY_LATER")
        }
        for client in [Self.person, IPAddress("2001:db8:2:2::1"), nil] {
            installation.client = client
            #expect(try await signIn(installation) == nil)
        }
    }

    // MARK: New accounts

    @Test func `an address makes 60 accounts a minute, and another one goes on`() async throws {
        var installation = try installation()
        for number in 0..<60 {
            #expect(try await installation.signIn(try installation.token("person-\(number)")).status == 200)
        }
        let refused = try await installation.signIn(try installation.token("one-more"))
        #expect(refused.status == 400)
        #expect(refused.members.message == "TOO_MANY_ATTEMPTS_TRY_LATER")
        for (client, subject) in [(Self.person, "two-more"), (nil, "three-more")] {
            installation.client = client
            #expect(try await installation.signIn(try installation.token(subject)).status == 200)
        }
        installation.client = Self.crowd
        installation.clock.advance(by: 1)
        #expect(try await installation.signIn(try installation.token("one-more")).status == 200)
    }

    @Test func `eleven /64s of one /56 make no more accounts than one address`() async throws {
        var installation = try installation()
        var made = 0
        for number in 0..<66 {
            installation.client = IPAddress("2001:db8:0:\(number % 11)::1")
            made += try await installation.signIn(try installation.token("person-\(number)")).status == 200 ? 1 : 0
        }
        #expect(made == 60)
        installation.client = IPAddress("2001:db8:1:1::1")
        #expect(try await installation.signIn(try installation.token("one-more")).status == 200)
    }
}
