// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import ArgumentParser
    import Testing

    @testable import oidc_broker

    /// What `oidc-broker` had before `oidc-broker-demo`.
    struct MovedCommandTests {
        @Test(
            .timeLimit(.minutes(10)),
            arguments: [
                ["demo"], ["demo", "--check", "--provider", "apple"], ["demo", "--help"],
                ["provider", "--redirect-uri", "http://localhost:8080/__/auth/handler"],
            ])
        func `the executable says in one line what to run instead, and fails`(arguments: [String]) async throws {
            let end = try await CommandProcess.run(arguments)
            #expect(end.status == ExitCode.failure.rawValue)
            #expect(end.output.isEmpty)
            #expect(end.errors.split(separator: "\n").count == 1)
            #expect(end.errors.contains("swift run oidc-broker-demo"))
        }

        @Test func `neither help nor completions have it`() {
            #expect(!OIDCBrokerCommand.helpMessage().contains("demo"))
            #expect(!OIDCBrokerCommand.completionScript(for: .fish).contains("demo"))
        }
    }
#endif
