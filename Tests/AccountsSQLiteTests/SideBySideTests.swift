// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import AccountsTestSupport
    import NIOCore
    import NIOPosix
    import OIDCBrokerTesting
    import Testing

    /// The same random sequences on the model and on SQLite: the same answers, the same records, all invariants.
    struct SideBySideTests {
        @Test(arguments: AccountSequence.policies.indices, Array<UInt64>(1...4))
        func `the same answers and records as the model`(policy: Int, seed: UInt64) async throws {
            let policy = AccountSequence.policies[policy]
            let operations = AccountOperations(policy: policy)
            let (model, temporary) = (ModelAccountStore(), try TemporaryStore())
            var steps = AccountStep.Generator(seed: seed)
            for _ in 0..<120 {
                let step = steps.next(after: model.contents)
                let expected = try AccountSequence.run(step, operations, on: model)
                let answer: AccountStep.Answer
                do {
                    answer = try await temporary.write { try step.run(operations, in: $0) }
                } catch let refusal as AccountRefusal {
                    answer = .refused(refusal)
                }
                try #require(answer == expected, "\(step)")
                let contents = try await temporary.contents()
                try #require(contents == model.contents, "\(step)")
                try #require(contents.violations(under: policy).isEmpty, "\(step)")
            }
            try await temporary.store.shutdown()
        }
    }
#endif
