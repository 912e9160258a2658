// SPDX-License-Identifier: Apache-2.0

#if Server && os(Linux)
    import Testing

    @testable import oidc_broker

    /// What the executable says where it cannot begin: one line with the mend.
    struct UsageTests {
        @Test(.timeLimit(.minutes(10)), arguments: ["serve", "check-config"])
        func `without a configuration, it says how to name one`(command: String) async throws {
            let end = try await CommandProcess.run([command])
            #expect(end.status == 78)
            #expect(end.output.isEmpty)
            #expect(
                end.errors
                    == "There is no configuration: name its file with --config FILE, or set AUTH_PUBLIC_URL and the "
                    + "others.\n")
        }

        #if !PostgreSQL
            @Test(
                .timeLimit(.minutes(10)),
                arguments: [["store", "migrate"], ["store", "schema"], ["store", "--help"]])
            func `without PostgreSQL, it says how to build it`(arguments: [String]) async throws {
                let end = try await CommandProcess.run(arguments)
                #expect(end.status == 1)
                #expect(end.output.isEmpty)
                #expect(end.errors == MissingStoreCommand.line + "\n")
            }
        #endif
    }
#endif
