// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBroker
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// The keys of the store in PostgreSQL.
struct PostgreSQLStoreConfigurationTests {
    private static func errors(
        _ kind: StoreConfiguration.Kind, _ connection: String?, keepsAccounts: Bool = false
    ) -> [ConfigurationError] {
        var store = StoreConfiguration()
        store.keepsAccounts = keepsAccounts
        store.kind = kind
        store.postgresql.connection = connection.map { Secret($0) }
        return store.boundsErrors(prefix: StoreConfiguration.prefix)
    }

    @Test func `a connection string is for this kind only, and is not repeated`() {
        let errors = Self.errors(.memory, "host=/run/postgresql password=hunter2")
        #expect(errors.map(\.key) == ["auth.store.postgresql.connection"])
        #expect(!"\(errors)".contains("hunter2"))
        #expect(Self.errors(.memory, nil) == [])
    }

    #if PostgreSQL
        @Test func `it is required, and names a host`() async throws {
            #expect(Self.errors(.postgresql, "host=/run/postgresql dbname=broker") == [])
            for connection in [nil, "", "dbname=broker", "hunter2"] {
                let errors = Self.errors(.postgresql, connection)
                #expect(errors.map(\.key) == ["auth.store.postgresql.connection"])
                #expect(!"\(errors)".contains("hunter2"))
            }
        }

        @Test func `the accounts need it, wherever else the store is`() {
            #expect(Self.errors(.memory, "host=/run/postgresql", keepsAccounts: true) == [])
            for connection in [nil, "dbname=broker"] {
                let errors = Self.errors(.memory, connection, keepsAccounts: true)
                #expect(errors.map(\.key) == ["auth.store.postgresql.connection"])
            }
        }

        @Test func `accounts are opened while the server is away, and not by a command`() async throws {
            var store = StoreConfiguration()
            let accounts = AccountsConfiguration(projectID: "acme", database: "postgresql", apps: [])
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            #expect(throws: BrokerConfigurationError.self) {
                try AccountDatabase(accounts, beside: store, logger: logger)
            }
            store.postgresql.connection = Secret("host=/nowhere")
            let database = try AccountDatabase(accounts, beside: store, logger: logger)
            #expect(database.backUp == nil)
            try await database.close()
            #expect(throws: (any Error).self) {
                try AccountDatabase(accounts, beside: store, isServing: false, logger: logger)
            }
        }

        @Test func `it is opened without a server`() async throws {
            var store = StoreConfiguration()
            store.kind = .postgresql
            store.postgresql.connection = Secret("host=/nowhere")
            let opened = try store.open(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            #expect(opened != nil)
            await opened?.shutdown()
        }
    #else
        @Test func `another program is needed for accounts`() {
            let accounts = AccountsConfiguration(projectID: "acme", database: "postgresql", apps: [])
            let errors = accounts.boundsErrors(prefix: AccountsConfiguration.prefix)
            #expect(
                errors.first { $0.key == "auth.accounts.database" }?.expected
                    == "a program that was built with the trait PostgreSQL")
        }

        @Test func `another program is needed`() {
            let errors = Self.errors(.postgresql, "host=/run/postgresql")
            #expect(errors.map(\.key) == ["auth.store.kind"])
            #expect(errors.map(\.expected) == ["a program that was built with the trait PostgreSQL"])
        }
    #endif
}
