// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Accounts
import HTTPTypes
import JOSE
import OIDCBroker
import OIDCBrokerTesting
import Testing

@testable import IdentityToolkit

/// The limits of one address on the wire of the SDKs: on refused requests, and on new accounts.
struct ToolkitAddressLimitTests {
    private typealias Installation = ToolkitInstallation
    private static let crowd = IPAddress("192.0.2.1")
    private static let person = IPAddress("192.0.2.2")

    private func installation(failures: Int = 3) throws -> Installation {
        var options = Installation.Options()
        options.requestLimits.failuresPerSecond = 1
        options.requestLimits.failuresBurst = failures
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

    /// Sends guesses until one is not answered any more. The broker's clock goes on meanwhile.
    private func exhaust(_ installation: Installation) async throws -> BrokerResponse {
        for _ in 0..<1000 {
            let response = try await guess(installation)
            if response.head.status != .badRequest { return response }
        }
        return try await guess(installation)
    }

    @Test func `over the limit everything is an empty 503, which signs nobody out`() async throws {
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
        var statuses: Set<Int> = []
        for _ in 0..<100 {
            let next = try await installation.respond(
                .post, "/__/auth/token", fields: [.contentType: "application/x-www-form-urlencoded"])
            statuses.insert(next.head.status.code)
        }
        #expect(statuses.contains(429))
    }

    @Test func `what succeeds never counts`() async throws {
        let installation = try installation(failures: 1)
        for number in 0..<20 {
            let signedIn = try await installation.signIn(try installation.token("person-\(number)"))
            #expect(signedIn.status == 200)
        }
        #expect(try await guess(installation).head.status == .badRequest)
    }

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
}
