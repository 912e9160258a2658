// SPDX-License-Identifier: Apache-2.0

#if SQLite && os(Linux)
    import Foundation
    import JOSE
    import Testing

    /// A server whose disk is full.
    struct FullDiskServerTests {
        @Test func `writes are empty 503s, no user is signed out, and it passes by itself`() async throws {
            try await ServedAccounts.run { wire in
                let server = try await ServerProcess.start(config: wire.config)
                defer { server.kill() }
                let first = try await wire.signIn("first", to: server)
                let idToken = try #require(first.text("idToken"))
                let refreshToken = try #require(first.text("refreshToken"))

                // The first refresh of a day is written.
                #expect(try await wire.refresh(refreshToken, to: server).status == 200)

                // No file may grow beyond what the largest has.
                let sizes = try FileManager.default.contentsOfDirectory(atPath: wire.folder).compactMap {
                    try FileManager.default.attributesOfItem(atPath: wire.folder + "/" + $0)[.size] as? Int
                }
                try server.limitFiles(to: sizes.max())
                var number = 0
                var answer = try await wire.signIn("person-0", to: server)
                while answer.status == 200, number < 500 {
                    number += 1
                    answer = try await wire.signIn("person-\(number)", to: server)
                }
                #expect(answer.isUnavailable, "\(answer.status) after \(number)")
                let renamed = try await wire.post(
                    "accounts:update", ["idToken": .string(idToken), "displayName": "Grace"], to: server)
                #expect(renamed.isUnavailable, "\(renamed.status)")
                // What only reads goes on.
                let found = try await wire.post("accounts:lookup", ["idToken": .string(idToken)], to: server)
                #expect(found.status == 200)
                #expect(try await wire.refresh(refreshToken, to: server).status == 200)

                try server.limitFiles(to: nil)
                // The credential was not used up by what was refused, and neither was the session.
                #expect(try await wire.signIn("person-\(number)", to: server).status == 200)
                let again = try await wire.post(
                    "accounts:update", ["idToken": .string(idToken), "displayName": "Grace"], to: server)
                #expect(again.text("displayName") == "Grace")
            }
        }
    }
#endif
