// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

extension TargetSession {
    /// Drives an operation on accounts and measures it. A session makes one such measurement, since the server counts what
    /// it allows only so often.
    func measure(_ operation: AccountOperation, _ shape: LoadShape, round: Int) async throws -> MeasuredRun {
        guard let accounts = setting.accounts else {
            throw LatencyToolError("\(file.name) was started without accounts")
        }
        var shape = shape
        shape.operation = operation
        if operation != .mixed { shape.rate = nil }
        let measurement = AccountMeasurement(
            operation: operation, shape: shape, settings: settings, tokens: accounts.tokens,
            jobs: accountJobs(accounts), plan: plan, tree: tree, eventLoop: loops.users[0])
        var run = try await measurement.run(target: file.name, round: round, idleMemory: idleMemory)
        run.firstSignIn = firstSignIn
        run.accepted = findings.accepted
        if let launched, !launched.isRunning {
            throw LatencyToolError("\(file.name) ended while it was measured:\n\(launched.lastWords)")
        }
        return run
    }

    /// Returns the jobs of the app with a native ID token.
    func accountJobs(_ accounts: AccountsSetup) -> AccountJobs {
        AccountJobs(
            wire: accounts.wire, mint: NativeTokenMint(signer: provider.signer, issuer: provider.issuers[0]))
    }

    /// Sees what the target refuses: at the wire of accounts if it keeps some, else in the sign-in of a browser.
    func checked() async throws -> TargetChecks.Findings {
        guard let accounts = setting.accounts else {
            return try await TargetChecks(plan: plan, eventLoop: loops.users[0]).run()
        }
        let driver = AccountDriver(plan: plan, eventLoop: loops.users[0], users: 1, tokens: accounts.tokens)
        return try await AccountChecks(jobs: accountJobs(accounts), driver: driver).run()
    }
}
