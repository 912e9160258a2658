// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Testing

    @testable import OIDCBrokerPostgreSQL

    /// What is refused, without a server.
    struct RefusalTests {
        private static func rows(_ texts: String...) -> PostgreSQLRows {
            PostgreSQLRows(rows: [texts.map { Array($0.utf8) }])
        }

        @Test func `an old server`() throws {
            #expect(throws: PostgreSQLStoreError.wrongVersion) { try PostgreSQLHandshake.examine(version: 130_012) }
            #expect(throws: PostgreSQLStoreError.wrongVersion) { try PostgreSQLHandshake.examine(version: 0) }
            try PostgreSQLHandshake.examine(version: 140_000)
            try PostgreSQLHandshake.examine(version: 180_001)
        }

        @Test func `a standby, and a commit that may be lost`() throws {
            #expect(
                try PostgreSQLHandshake.examine(state: Self.rows("f", "off", "on", "1800000000")) == 1_800_000_000)
            try PostgreSQLHandshake.examine(state: Self.rows("f", "off", "remote_apply", "1800000000"))
            #expect(throws: PostgreSQLStoreError.notPrimary) {
                try PostgreSQLHandshake.examine(state: Self.rows("t", "off", "on", "1800000000"))
            }
            #expect(throws: PostgreSQLStoreError.notPrimary) {
                try PostgreSQLHandshake.examine(state: Self.rows("f", "on", "on", "1800000000"))
            }
            for commit in ["off", "local", "remote_write", ""] {
                #expect(throws: PostgreSQLStoreError.notDurable) {
                    try PostgreSQLHandshake.examine(state: Self.rows("f", "off", commit, "1800000000"))
                }
            }
            for rows in [PostgreSQLRows(), Self.rows("f", "off", "on"), Self.rows("f", "off", "on", "soon")] {
                #expect(throws: PostgreSQLStoreError.unexpectedAnswer) {
                    try PostgreSQLHandshake.examine(state: rows)
                }
            }
        }

        @Test func `other tables`() throws {
            try PostgreSQLHandshake.examine(schema: Self.rows("1", "2"))
            let wrong = [Self.rows("2", "2"), Self.rows("1", "1"), Self.rows("1", "0"), PostgreSQLRows()]
            for rows in wrong {
                #expect(throws: PostgreSQLStoreError.wrongSchema) { try PostgreSQLHandshake.examine(schema: rows) }
            }
        }

        @Test(
            arguments: [
                ("28P01", PostgreSQLStoreError.wrongPassword), ("28000", .wrongPassword), ("42501", .wrongPassword),
                ("53100", .full), ("53200", .full), ("53300", .busy), ("57014", .timeout), ("57P01", .closed),
                ("57P03", .unreachable), ("25006", .notPrimary), ("42P01", .wrongSchema), ("3D000", .wrongSchema),
                ("40001", .busy), ("22000", .unexpectedAnswer), ("a value", .unexpectedAnswer),
            ] as [(String, PostgreSQLStoreError)])
        func `an error of the server by its SQLSTATE`(state: String, error: PostgreSQLStoreError) {
            #expect(PostgreSQLStoreError(sqlState: state) == error)
            #expect(!PostgreSQLStoreError(sqlState: state).detail.contains("a value"))
        }

        @Test func `an error of connecting`() {
            func error(_ message: String, needsPassword: Bool = false) -> PostgreSQLStoreError {
                PostgreSQLStoreError(connecting: message, needsPassword: needsPassword)
            }
            #expect(error("connection to server on socket \"/s\" failed: FATAL:  28P01\n") == .wrongPassword)
            #expect(error("at \"a\" failed: FATAL:  28000\nat \"b\" failed: FATAL:  57P03\n") == .wrongPassword)
            #expect(error("failed: FATAL:  57P01\n") == .unreachable)
            #expect(error("failed: Connection refused\n\tIs the server running?\n") == .unreachable)
            #expect(error("failed: session is read-only\n") == .notPrimary)
            #expect(error("fe_sendauth: no password supplied\n", needsPassword: true) == .wrongPassword)
            #expect(error("password hunter2 of broker") == .unreachable)
            #expect(!error("password hunter2 of broker").description.contains("hunter2"))
        }

        @Test func `a warning is one of a commit only by its severity and its state`() {
            let notices = ConnectionNotices()
            notices.note(severity: "NOTICE", state: "01000")
            notices.note(severity: "WARNING", state: "25P01")
            #expect(!notices.takeWarning())
            notices.note(severity: "WARNING", state: "01000")
            #expect(notices.takeWarning())
            #expect(!notices.takeWarning())
            notices.note(severity: "WARNING", state: "57P01")
            #expect(notices.takeWarning())
        }
    }
#endif
