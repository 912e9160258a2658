// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBroker
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerServer

/// The keys of the store in PostgreSQL.
struct PostgreSQLStoreConfigurationTests {
    private static func errors(_ kind: StoreConfiguration.Kind, _ connection: String?) -> [ConfigurationError] {
        var store = StoreConfiguration()
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

        @Test func `it is opened without a server`() async throws {
            var store = StoreConfiguration()
            store.kind = .postgresql
            store.postgresql.connection = Secret("host=/nowhere")
            let opened = try store.open(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            #expect(opened != nil)
            await opened?.shutdown()
        }
    #else
        @Test func `another program is needed`() {
            let errors = Self.errors(.postgresql, "host=/run/postgresql")
            #expect(errors.map(\.key) == ["auth.store.kind"])
            #expect(errors.map(\.expected) == ["a program that was built with the trait PostgreSQL"])
        }
    #endif
}
