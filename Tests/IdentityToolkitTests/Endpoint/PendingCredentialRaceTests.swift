// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import Foundation
    import JOSE
    import NIOCore
    import NIOPosix
    import OIDCBrokerTesting
    import StoreTesting
    import Testing
    import TestingSupport

    @testable import IdentityToolkit

    /// What may be used once, presented fifty times at once to a whole broker on SQLite.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct PendingCredentialRaceTests {
        private typealias Answer = (status: Int, members: JSONObject)

        private static let count = 50
        private static let rounds = 100
        /// How often each answer comes.
        private static let once = ["200": 1, "INVALID_IDP_RESPONSE": count - 1]

        /// A broker whose accounts are in a file, and which limits nothing.
        private struct Setup: Sendable {
            let installation: ToolkitInstallation
            let store: SQLiteAccountStore

            /// The number of sessions of the account of a sign-in.
            func sessions(of signedIn: JSONObject) async throws -> Int {
                let account = try #require(signedIn.string("localId").flatMap { AccountID($0) })
                return try await store.transact(.read, on: MultiThreadedEventLoopGroup.singleton.any()) {
                    try $0.sessions(of: account).count
                }.get()
            }
        }

        private func run(_ body: (Setup) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.path + "/toolkit-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let store = try SQLiteAccountStore.open(path: folder + "/accounts.sqlite", project: "acme-shop")
            var options = ToolkitInstallation.Options()
            options.accounts = store
            options.limiter = SwitchedLimiter()
            try await body(Setup(installation: try ToolkitInstallation(options: options), store: store))
            try await store.shutdown()
        }

        /// How often each answer came to requests that are sent at once.
        private func all(_ request: @escaping @Sendable (Int) async throws -> Answer) async throws -> [String: Int] {
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<Self.count {
                    group.addTask {
                        let (status, members) = try await request(number)
                        guard status != 200 else { return "200" }
                        let code = members.message?.prefix { $0 != " " }
                        return code.map { String($0) } ?? "\(status)"
                    }
                }
                var answers: [String: Int] = [:]
                for try await answer in group { answers[answer, default: 0] += 1 }
                return answers
            }
        }

        /// A credential of a user that came back from an attempt to link it to another account.
        private func pendingCredential(
            of token: String, linkingTo asking: JSONObject, _ installation: ToolkitInstallation
        ) async throws -> String {
            let (_, inUse) = try await installation.signIn(token, at: "oidc.bold", idToken: asking.string("idToken"))
            return try #require(inUse.string("pendingToken"), "\(inUse.message ?? "")")
        }

        /// Two users with accounts, at two providers.
        private func people(_ installation: ToolkitInstallation) async throws -> (bea: JSONObject, ada: JSONObject) {
            let (_, bea) = try await installation.signIn(
                installation.token("bea", at: "oidc.bold"), at: "oidc.bold")
            let (_, ada) = try await installation.signIn(installation.token("ada"))
            return (bea, ada)
        }

        /// The native ID token of the first one anew, and the credential that comes back when the second links it.
        private func credential(
            of people: (bea: JSONObject, ada: JSONObject), _ installation: ToolkitInstallation
        ) async throws -> (token: String, pending: String) {
            installation.clock.advance(by: 1)
            let token = try installation.token("bea", at: "oidc.bold")
            return (token, try await pendingCredential(of: token, linkingTo: people.ada, installation))
        }

        @Test func `a pending credential signs in once`() async throws {
            try await run { setup in
                let installation = setup.installation
                let (bea, ada) = try await people(installation)
                for _ in 0..<Self.rounds {
                    let (_, pending) = try await credential(of: (bea, ada), installation)
                    let answers = try await all { _ in try await installation.signIn("", pendingToken: pending) }
                    #expect(answers == Self.once)
                }
                #expect(try await setup.sessions(of: bea) == 1 + Self.rounds)
                #expect(try await setup.sessions(of: ada) == 1)
            }
        }

        @Test func `a native ID token signs in once`() async throws {
            try await run { setup in
                let installation = setup.installation
                for _ in 0..<Self.rounds {
                    installation.clock.advance(by: 1)
                    let token = try installation.token("ada")
                    let answers = try await all { _ in try await installation.signIn(token) }
                    #expect(answers == Self.once)
                }
                installation.clock.advance(by: 1)
                let (_, ada) = try await installation.signIn(installation.token("ada"))
                #expect(ada["isNewUser"] == nil)
                #expect(try await setup.sessions(of: ada) == 1 + Self.rounds)
            }
        }

        @Test func `a pending credential and the ID token it came from sign in once together`() async throws {
            try await run { setup in
                let installation = setup.installation
                let (bea, ada) = try await people(installation)
                for _ in 0..<Self.rounds {
                    let (token, pending) = try await credential(of: (bea, ada), installation)
                    let answers = try await all { number in
                        if number.isMultiple(of: 2) {
                            return try await installation.signIn("", pendingToken: pending)
                        }
                        return try await installation.signIn(token, at: "oidc.bold")
                    }
                    #expect(answers == Self.once)
                }
                #expect(try await setup.sessions(of: bea) == 1 + Self.rounds)
            }
        }
    }
#endif
