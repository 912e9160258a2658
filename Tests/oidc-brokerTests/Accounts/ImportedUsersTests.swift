// SPDX-License-Identifier: Apache-2.0

#if SQLite && os(Linux)
    import ArgumentParser
    import Foundation
    import OIDCBrokerTesting
    import Testing

    @testable import oidc_broker

    /// The way from pages of users to sign-ins with the old uid, and back, beside a server.
    struct ImportedUsersTests {
        /// More than one page of the export, and than two transactions of the import.
        private static let count = 501

        /// The uid of a user, in the order of the numbers. One is no ASCII.
        private static func uid(_ number: Int) -> String {
            "user-" + String(format: "%03d", number) + (number == 7 ? " \u{FC}/\n" : "")
        }

        private static func user(_ number: Int) -> [String: Any] {
            [
                "localId": uid(number), "createdAt": "1500000000123", "lastLoginAt": "1600000000456",
                "displayName": "Ada\nLovelace", "future": ["x": [1.5]],
                "providerUserInfo": [
                    ["providerId": "oidc.acme", "rawId": "s-\(number)", "federatedId": "s-\(number)"],
                    ["providerId": "facebook.com", "rawId": "f-\(number)"],
                ],
            ]
        }

        private func pages(_ folder: String) throws -> [String] {
            try [0..<200, 200..<Self.count].enumerated().map { number, users in
                let path = folder + "/page-\(number).json"
                let page: [String: Any] = ["nextPageToken": "next", "users": users.map(Self.user)]
                try JSONSerialization.data(withJSONObject: page).write(to: URL(fileURLWithPath: path))
                return path
            }
        }

        private func run<Command: AsyncParsableCommand>(_: Command.Type, _ arguments: [String]) async throws {
            var command = try Command.parse(arguments)
            try await command.run()
        }

        /// The users of a file that were imported, but for the one who was here before.
        private func users(_ path: String) throws -> NSArray {
            let written = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
            let all = (written as? [String: Any])?["users"] as? [[String: Any]] ?? []
            return Self.withoutFirst(all.filter { ($0["localId"] as? String)?.hasPrefix("user-") == true })
        }

        private static func withoutFirst(_ users: [[String: Any]]) -> NSArray {
            NSArray(array: users.filter { $0["localId"] as? String != uid(1) })
        }

        @Test(arguments: AccountsEngine.allCases)
        func `users keep their uid, are exported as they came, and who was here gets the old uid`(
            engine: AccountsEngine
        ) async throws {
            try await ServedAccounts.run(on: engine) { wire in
                let server = try await ServerProcess.start(config: wire.config)
                defer { server.kill() }
                try await wire.settle(server)
                let early = try await wire.signIn("s-1", to: server)
                let issuer = try #require(wire.providers["acme"]?.issuer)
                let options = ["--config", wire.config]
                let arguments = try pages(wire.folder) + ["--issuer", "oidc.acme=\(issuer)"] + options
                await #expect(throws: ExitCode.failure) { try await run(ImportAccounts.self, arguments) }
                #expect(try await wire.signIn("s-1", to: server).text("localId") == early.text("localId"))
                try await run(ImportAccounts.self, arguments + ["--adopt"])

                let (first, second) = (wire.folder + "/first.json", wire.folder + "/second.json")
                try await run(ExportAccounts.self, [first] + options)
                let written = try users(first)
                #expect(written == Self.withoutFirst((0..<Self.count).map(Self.user)))
                try await run(ImportAccounts.self, arguments + ["--update"])
                try await run(ExportAccounts.self, [second] + options)
                #expect(try users(second) == written)

                for number in [1, 7, Self.count - 1] {
                    let person = try await wire.signIn("s-\(number)", to: server)
                    #expect(person.text("localId") == Self.uid(number))
                }
                let refreshed = try await wire.refresh(try #require(early.text("refreshToken")), to: server)
                #expect(refreshed.status == 400)
            }
        }
    }
#endif
