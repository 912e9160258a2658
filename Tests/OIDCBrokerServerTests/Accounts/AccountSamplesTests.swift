// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerOperations
import StoreTesting
import Testing

@testable import OIDCBrokerServer

/// What metrics say of the database of accounts.
struct AccountSamplesTests {
    private static func names(_ samples: [MetricSample]) -> [String] {
        samples.map { "\($0.name) \($0.value)" }
    }

    @Test func `the database is up once it was reached, and what waits is told only where the store tells`()
        async throws
    {
        let loaded = try await SourcesFixture.load(
            environment: SourcesFixture.environment(with: SourcesFixture.accounts))
        let configuration = try #require(loaded.accounts)
        let accounts = try BrokerAccounts(
            configuration: configuration, broker: loaded.broker, store: ModelAccountStore(), logger: .quiet)
        #expect(Self.names(accounts.samples.samples()) == ["auth_database_up 0.0"])
        try await accounts.reachDatabase()
        #expect(Self.names(accounts.samples.samples()) == ["auth_database_up 1.0"])
        let telling = try BrokerAccounts(
            configuration: configuration, broker: loaded.broker, store: ModelAccountStore(), logger: .quiet,
            waiting: { (writes: 2, reads: 3) })
        #expect(
            Self.names(telling.samples.samples()) == [
                "auth_database_up 0.0", "auth_database_waiting 2.0", "auth_database_waiting 3.0",
            ])
    }
}
