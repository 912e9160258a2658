// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    package import Accounts
    package import NIOCore
    package import StoreTesting
    import Testing

    /// Random steps on a store.
    package enum AccountSequence {
        /// The policies under which sequences run.
        package static let policies = [
            AccountPolicy(),
            AccountPolicy(providersThatLinkByEmail: [
                LinkingProvider(id: "apple.com", issuer: "https://apple"),
                LinkingProvider(id: "google.com", issuer: "https://google"),
            ]),
            AccountPolicy(email: .separate),
            AccountPolicy(
                providersThatLinkByEmail: [
                    LinkingProvider(id: "apple.com", issuer: "https://apple"),
                    LinkingProvider(id: "google.com", issuer: "https://google"),
                ], importedUsersEnterByEmailUntil: .max),
            AccountPolicy(makesAccounts: true, operationsAfterRecentSignIn: [.delete], sessionIdleDays: 1),
        ]

        /// Runs a random sequence on the model and on an empty store: the same answers, the same records, all invariants.
        package static func compare(
            _ store: any AccountStore, on eventLoop: any EventLoop, under policy: AccountPolicy, seed: UInt64
        ) async throws {
            let operations = AccountOperations(policy: policy)
            let model = ModelAccountStore()
            var steps = AccountStep.Generator(seed: seed)
            for _ in 0..<120 {
                let step = steps.next(after: model.contents)
                let expected = try run(step, operations, on: model)
                let answer: AccountStep.Answer
                do {
                    answer = try await store.transact(.write, on: eventLoop) { try step.run(operations, in: $0) }.get()
                } catch let refusal as AccountRefusal {
                    answer = .refused(refusal)
                }
                try #require(answer == expected, "\(step)")
                let contents = try await store.transact(.read, on: eventLoop) { try $0.contents() }.get()
                try #require(contents == model.contents, "\(step)")
                try #require(contents.violations(under: policy).isEmpty, "\(step)")
            }
        }

        /// Runs a step on the model, which never fails otherwise than by a refusal.
        package static func run(
            _ step: AccountStep, _ operations: AccountOperations, on store: ModelAccountStore
        ) throws -> AccountStep.Answer {
            do {
                return try store.transact(.write) { try step.run(operations, in: $0) }
            } catch let refusal as AccountRefusal {
                return .refused(refusal)
            }
        }
    }
#endif
