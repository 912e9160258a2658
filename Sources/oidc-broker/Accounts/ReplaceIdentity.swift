// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import ArgumentParser

    struct ReplaceIdentity: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replace",
            abstract: "Replace the subject of an identity, for example after a realm of Keycloak was created again.",
            discussion: """
                The sessions that began with it end. The user with the new subject then signs in to the account: verify who that is.

                Example: oidc-broker accounts identities replace 5sTQ0mGxXcaW oidc.acme 8c5d1f0e-71b4 --config broker.yaml
                """)

        /// The maximum length of a subject (OpenID Connect Core 1.0 section 2).
        private static let longestSubject = 255

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account that has the identity.") var uid: String
        @Argument(help: "The ID of the provider of the identity, as `show` prints it.") var provider: String
        @Argument(help: "The new subject, the claim sub of the ID tokens of the provider.") var subject: String

        func validate() throws {
            guard (1...Self.longestSubject).contains(subject.utf8.count),
                subject.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else {
                throw ValidationError("a subject has 1 to \(Self.longestSubject) characters of printable ASCII")
            }
        }

        func run() async throws {
            let (provider, subject) = (provider, subject)
            try await database.change(uid, "subject replaced") { operations, uid, transaction in
                try operations.replaceSubject(at: provider, of: uid, by: subject, in: transaction)
            }
        }
    }
#endif
