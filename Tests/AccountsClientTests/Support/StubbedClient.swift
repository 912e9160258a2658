// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBrokerTesting
import Testing

@testable import AccountsClient

/// A client of a server that answers as a test says, with the clock in the test's hand.
struct StubbedClient: Sendable {
    static let url = "https://auth.example.com"
    static let apiKey = "ios-4f1c0000"
    static let credential = Credential.apple(idToken: "provider-id-token", rawNonce: "raw-nonce")

    let exchange = StubExchange()
    let storage: FaultyStorage
    let clock: TestClock
    let client: AccountClient

    init(storage: FaultyStorage = FaultyStorage(), clock: TestClock = TestClock()) throws {
        self.storage = storage
        self.clock = clock
        client = AccountClient(
            server: try AccountServer(
                url: try #require(URL(string: Self.url)), apiKey: Self.apiKey, bundleID: nil, exchange: exchange),
            storage: storage, now: { Date(timeIntervalSince1970: TimeInterval(clock.now())) })
    }

    /// A client with a user who is signed in.
    static func signedIn() async throws -> StubbedClient {
        let stubbed = try StubbedClient()
        await stubbed.exchange.answer(.signIn, .signedIn())
        await stubbed.exchange.answer(.lookup, .account())
        try await stubbed.client.signIn(with: credential)
        return stubbed
    }

    /// The identifier of the user who is signed in.
    func uid() async throws -> String? { try await client.currentUser?.uid }
}

/// Returns the code of the error that a body throws; `nil` if it throws none.
func code(of body: () async throws -> Void) async throws -> AccountsError.Code? {
    do {
        try await body()
        return nil
    } catch let error as AccountsError {
        return error.code
    }
}
