// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// New users who each get an account with a native ID token and refresh the session once.
struct Newcomers: Sendable {
    let jobs: AccountJobs
    let tokens: AccountTokenCheck

    /// Lets a user do both.
    ///
    /// - Parameters:
    ///   - number: The number of the user, who has no account yet.
    ///   - person: Who signs in from the same address.
    /// - Returns: What went wrong, in words that contain nothing of the requests; `nil` if nothing did.
    func fault(of number: Int, as person: SingleSignIn) async throws -> String? {
        let driver = AccountDriver(plan: person.plan, eventLoop: person.eventLoop, users: 1, tokens: tokens)
        let signIn = try jobs.signIn(number, uid: nil)
        do {
            for completed in try await driver.complete([signIn], .new) {
                _ = try await driver.complete([jobs.refresh(completed.reply, of: number)], .refresh)
            }
            return nil
        } catch let error as LatencyToolError {
            return error.description
        }
    }
}

extension TargetSession {
    /// The new users of a target with accounts; `nil` if it has none.
    var newcomers: Newcomers? {
        setting.accounts.map { Newcomers(jobs: accountJobs($0), tokens: $0.tokens) }
    }
}
