// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Testing

    @testable import OIDCBrokerPostgreSQL

    /// Connection strings and the hosts in them.
    struct ConnectionStringTests {
        private static func parameters(_ text: String) throws -> ConnectionParameters {
            try #require(PostgreSQLConnectionString(text)).parameters
        }

        private static func hosts(_ text: String) throws -> ConnectionParameters {
            let given = try parameters(text)
            let hosts = try HostList(given).resolved { (name: String) throws(PostgreSQLStoreError) -> [String] in
                switch name {
                case "db.internal": return ["10.0.0.1", "fd00::1"]
                case "db.example": return ["192.0.2.1"]
                default: throw PostgreSQLStoreError.unreachable
                }
            }
            return try hosts.apply(to: given)
        }

        @Test func `a connection string names a host`() throws {
            #expect(PostgreSQLConnectionString("host=/run/postgresql dbname=broker") != nil)
            #expect(PostgreSQLConnectionString("postgresql://broker:secret@db.example:5433/broker") != nil)
            for text in ["", "dbname=broker", "service=broker", "host=a service=broker", "host", "a=b", "host=a\0b"] {
                #expect(PostgreSQLConnectionString(text) == nil, "\(text)")
            }
        }

        @Test func `it is not printed`() throws {
            let connection = try #require(PostgreSQLConnectionString("host=a password=hunter2"))
            let configuration = PostgreSQLConfiguration(connection: connection)
            for value in [connection, connection.parameters, configuration] as [any Sendable] {
                #expect(!"\(value)".contains("hunter2"))
                #expect(!String(reflecting: value).contains("hunter2"))
            }
            var text = ""
            dump(configuration, to: &text)
            #expect(!text.contains("hunter2"))
        }

        @Test func `what is added does not replace what was asked for`() throws {
            let usual = try Self.parameters("host=a connect_timeout=9").completed
            #expect(usual["target_session_attrs"] == "read-write")
            #expect(usual["application_name"] == "oidc-broker")
            #expect(usual["connect_timeout"] == nil)
            let asked = try Self.parameters("host=a target_session_attrs=any").completed
            #expect(asked["target_session_attrs"] == "any")
        }

        @Test func `a text is read as it was written`() throws {
            var parameters = try Self.parameters("host=a")
            parameters["password"] = "it's \\ a 'word'"
            #expect(try Self.parameters(parameters.text) == parameters)
            parameters["password"] = ""
            #expect(parameters.text == "host='a'")
        }

        @Test func `each address of a host is known`() throws {
            let several = try Self.hosts("host=db.internal,/run/postgresql,127.0.0.1 port=1,2,3")
            #expect(several["host"] == "db.internal,db.internal,/run/postgresql,127.0.0.1")
            #expect(several["hostaddr"] == "10.0.0.1,fd00::1,,127.0.0.1")
            #expect(several["port"] == "1,1,2,3")
            #expect(several["sslmode"] == nil)
            let socket = try Self.hosts("host=/run/postgresql")
            #expect(socket["hostaddr"] == nil && socket["port"] == nil)
            #expect(throws: PostgreSQLStoreError.unreachable) { try Self.hosts("host=nobody.example") }
            #expect(throws: PostgreSQLStoreError.unreachable) { try Self.hosts("host=a,b,c port=1,2") }
        }

        @Test func `beyond private networks TLS is demanded`() throws {
            #expect(try Self.hosts("host=db.example")["sslmode"] == "require")
            #expect(try Self.hosts("host=db.internal,db.example sslmode=prefer")["sslmode"] == "require")
            #expect(try Self.hosts("host=db.example sslmode=verify-full")["sslmode"] == "verify-full")
            #expect(try Self.hosts("host=/tmp hostaddr=192.0.2.1")["sslmode"] == "require")
            #expect(throws: PostgreSQLStoreError.notEncrypted) { try Self.hosts("host=db.example sslmode=disable") }
        }

        @Test func `private addresses`() {
            for address in ["127.0.0.1", "10.1.2.3", "192.168.0.1", "::1", "fd00::1"] {
                #expect(HostList.isPrivate(host: "a", address: address))
            }
            for address in ["192.0.2.1", "2001:db8::1", "fe80::1%eth0", "nonsense"] {
                #expect(!HostList.isPrivate(host: "/tmp", address: address))
            }
            #expect(HostList.isPrivate(host: "/tmp", address: ""))
            #expect(!HostList.isPrivate(host: "db.example", address: ""))
        }
    }
#endif
