// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Testing

    @testable import OIDCBrokerPostgreSQL

    /// Which host of a connection string is tried when.
    struct HostOrderTests {
        private static func apart(_ text: String) throws -> [HostList] {
            let parameters = try #require(PostgreSQLConnectionString(text)).parameters
            return try HostList(parameters).apart(in: parameters)
        }

        /// The hosts that each try gives to libpq.
        private static func names(_ text: String) throws -> [String] {
            try apart(text).map { try $0.apply(to: ConnectionParameters())["host"] ?? "" }
        }

        @Test func `each host is a try of its own`() throws {
            #expect(try Self.names("host=127.0.0.1,/run/postgresql,::1") == ["127.0.0.1", "/run/postgresql", "::1"])
            let hosts = try Self.apart("host=a,b hostaddr=10.0.0.1,10.0.0.2 port=1,2")
            let second = try #require(hosts.last).apply(to: ConnectionParameters())
            #expect(second["host"] == "b" && second["hostaddr"] == "10.0.0.2" && second["port"] == "2")
        }

        @Test func `what libpq has to see as a whole is left to it`() throws {
            for text in [
                "host=127.0.0.1,,::1", "host=127.0.0.1,::1 port=1,",
                "host=10.0.0.1,::1 target_session_attrs=prefer-standby",
            ] {
                #expect(try Self.apart(text).count == 1, "\(text)")
                #expect(try Self.names(text).first?.contains(",") == true, "\(text)")
            }
        }

        @Test func `the addresses of a host are tries of their own`() throws {
            let host = try #require(try Self.apart("host=db.internal port=1").first)
            let found = try host.resolved { _ in ["10.0.0.1", "10.0.0.2"] }.addresses
            #expect(try found.map { try $0.apply(to: ConnectionParameters())["hostaddr"] } == ["10.0.0.1", "10.0.0.2"])
        }

        @Test func `the host that last worked is the first, and one that fails is followed by the next`() throws {
            let address = try #require(try Self.apart("host=127.0.0.1").first)
            var order = HostOrder(of: 3)
            #expect(order.hosts == [0, 1, 2])
            order.failed(0, next: nil)
            #expect(order.hosts == [1, 2, 0])
            order.worked(address, of: 2)
            #expect(order.hosts == [2, 0, 1])
            order.failed(2, next: nil)
            #expect(order.hosts == [0, 1, 2])
        }

        @Test func `within a host it is the address that last worked`() throws {
            let host = try #require(try Self.apart("host=db.internal").first)
            let found = try host.resolved { _ in ["10.0.0.1", "10.0.0.2", "10.0.0.3"] }.addresses
            var order = HostOrder(of: 2)
            #expect(order.addresses(found, of: 0) == found)
            order.failed(0, next: found[1])
            #expect(order.hosts == [0, 1])
            #expect(order.addresses(found, of: 0) == [found[1], found[2], found[0]])
            // Another host has others.
            #expect(order.addresses(found, of: 1) == found)
            order.worked(found[2], of: 0)
            #expect(order.addresses(found, of: 0) == [found[2], found[0], found[1]])
            // The name has lost that address.
            #expect(order.addresses([found[0]], of: 0) == [found[0]])
            order.failed(0, next: nil)
            #expect(order.hosts == [1, 0])
        }

        @Test func `what a server refuses ends the try, and a standby does not`() throws {
            for error in [
                PostgreSQLStoreError.wrongPassword, .wrongVersion, .notEncrypted, .unexpectedAnswer, .busy,
            ] {
                var failures = HostFailures()
                #expect(throws: error) { try failures.note(error) }
            }
            var failures = HostFailures()
            #expect(failures.error(isComplete: true) == .unreachable)
            try failures.note(.notPrimary)
            #expect(failures.error(isComplete: true) == .notPrimary)
            // The primary may be a host that was not asked, or did not answer.
            #expect(failures.error(isComplete: false) == .unreachable)
            try failures.note(.unreachable)
            #expect(failures.error(isComplete: true) == .unreachable)
        }
    }
#endif
