// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct LaunchPlanTests {
    private static func file(_ members: String) throws -> TargetFile {
        try TargetFile(
            json: Array(
                """
                {"name": "x", "base": "http://127.0.0.1:8080", "authorize_prefix": "${ISSUER}/authorize?",
                 "start": {"path": "/start"}, "callback": {}, \(members)}
                """.utf8))
    }

    private static var variables: TargetVariables {
        var variables = TargetVariables()
        variables[.issuer] = "http://127.0.0.1:1/p0"
        variables[.work] = "/w"
        variables[.certificate] = "/c.pem"
        return variables
    }

    private static var variablesWithKeys: TargetVariables {
        var variables = variables
        variables[.accountKeys] = "-----BEGIN\nkey\n"
        return variables
    }

    private static func plan(
        _ file: TargetFile, issuers: [String] = ["http://127.0.0.1:1/p0"], isTLS: Bool = false,
        isProviderTLS: Bool = false
    ) throws -> LaunchPlan {
        try LaunchPlan(
            file, variables: variables, issuers: issuers, isTLS: isTLS, isProviderTLS: isProviderTLS)
    }

    @Test func `command, environment, folder and requirements are filled in`() throws {
        let file = try Self.file(
            """
            "launch": ["${WORK}/bin/x", "--issuer", "${ISSUER}"], "environment": {"A": "${ISSUER}"},
            "directory": "${WORK}", "requires": ["${WORK}/bin/x"]
            """)
        let plan = try Self.plan(file)
        #expect(plan.command == ["/w/bin/x", "--issuer", "http://127.0.0.1:1/p0"])
        #expect(plan.environment == ["A": "http://127.0.0.1:1/p0"])
        #expect(plan.directory == "/w")
        #expect(plan.requires == ["/w/bin/x"])
    }

    @Test func `TLS adds, and a target without it says so`() throws {
        let file = try Self.file(
            """
            "launch": ["x"], "environment": {"A": "1"}, "tls": {"arguments": ["--tls"], "environment": {"C": "${CERTIFICATE}"}}
            """)
        let plain = try Self.plan(file)
        #expect(plain.command == ["x"])
        #expect(plain.environment == ["A": "1"])
        let secure = try Self.plan(file, isTLS: true)
        #expect(secure.command == ["x", "--tls"])
        #expect(secure.environment == ["A": "1", "C": "/c.pem"])
        #expect(throws: TargetFileError.self) { try Self.plan(file, isProviderTLS: true) }
        let bare = try Self.file("\"launch\": [\"x\"]")
        #expect(throws: TargetFileError.self) { try Self.plan(bare, isTLS: true) }
    }

    @Test func `accounts add, and a target without them says so`() throws {
        let file = try Self.file(
            """
            "launch": ["x"], "accounts": {"environment": {"KEY": "${ACCOUNT_KEYS}", "DATABASE": "${WORK}/people"}}
            """)
        let variables = Self.variablesWithKeys
        func plan(_ file: TargetFile, hasAccounts: Bool) throws -> LaunchPlan {
            try LaunchPlan(
                file, variables: variables, issuers: ["http://127.0.0.1:1/p0"], isTLS: false, isProviderTLS: false,
                hasAccounts: hasAccounts)
        }
        let without = try plan(file, hasAccounts: false)
        #expect(without.environment == [:])
        let with = try plan(file, hasAccounts: true)
        #expect(with.environment == ["KEY": "-----BEGIN\nkey\n", "DATABASE": "/w/people"])
        let bare = try Self.file("\"launch\": [\"x\"]")
        #expect(throws: TargetFileError.self) { try plan(bare, hasAccounts: true) }
    }

    @Test func `each provider has its own environment`() throws {
        let file = try Self.file("\"each_provider\": {\"P${K}_ISSUER\": \"${ISSUER}\", \"P${K}_ON\": \"1\"}")
        let plan = try Self.plan(file, issuers: ["http://a/p0", "http://a/p1"])
        #expect(
            plan.environment == [
                "P0_ISSUER": "http://a/p0", "P0_ON": "1", "P1_ISSUER": "http://a/p1", "P1_ON": "1",
            ])
    }

    @Test func `a target with one provider is not given two`() throws {
        let file = try Self.file("\"launch\": [\"x\"]")
        #expect(throws: TargetFileError.self) { try Self.plan(file, issuers: ["http://a/p0", "http://a/p1"]) }
    }
}
