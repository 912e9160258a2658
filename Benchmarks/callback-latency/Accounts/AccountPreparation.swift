// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// What happens before a load on accounts: users get their accounts and sessions, and the requests of the load are
/// written, so that neither signing tokens nor anything of that is measured.
struct AccountPreparation: Sendable {
    /// The loads of a measurement.
    struct Loads: Sendable {
        /// What warms the server up, and opens the connections, before a load of few operations; `nil` if the load itself
        /// does.
        var warmUp: AccountLane.Load?
        /// What is measured.
        var measured: [AccountLane.Load]
        /// The accounts that were made.
        var accounts: Set<String>
    }

    let jobs: AccountJobs
    let driver: AccountDriver
    let plan: AccountPlan
    /// The interval of sign-ins whose ID token has a broken signature; `nil` for none.
    let spoilsEvery: Int?

    /// The number of the first user. Those before are the checks'.
    private static let firstPerson = 1

    /// Prepares the loads of an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - concurrency: The number of operations at a time.
    ///   - rate: The sign-ins per second of ``AccountOperation/mixed``.
    func loads(of operation: AccountOperation, concurrency: Int, rate: Double) async throws -> Loads {
        let people = try await people()
        func load(_ part: SignInPart, _ jobs: [AccountJob], allowance: Int) -> AccountLane.Load {
            AccountLane.Load(part: part, jobs: jobs, allowance: allowance, users: concurrency)
        }
        var loads = Loads(measured: [], accounts: Set(people.map(\.uid)))
        switch operation {
        case .lookup:
            loads.measured = [load(.lookup, try await lookups(of: people), allowance: AccountPlan.mostLookups)]
        case .refresh:
            let refreshes = try await sessions(of: people).map { try jobs.refresh($0.reply, of: $0.person) }
            loads.measured = [load(.refresh, refreshes, allowance: AccountPlan.mostUses)]
        case .known:
            loads.measured = [load(.known, try signIns(plan.signIns, of: people), allowance: 1)]
        case .new:
            loads.warmUp = load(.known, try signIns(plan.warmUpSignIns, of: people), allowance: 1)
            loads.measured = [load(.new, try newSignIns(after: people.count), allowance: 1)]
        case .mixed:
            let signIns = AccountLane.Load(
                part: .known, jobs: try signIns(plan.signIns, of: people), allowance: 1, users: AccountLane.openUsers,
                rate: rate)
            loads.measured = [
                load(.lookup, try await lookups(of: people), allowance: AccountPlan.mostLookups), signIns,
            ]
        }
        return loads
    }

    /// Gives users their accounts.
    private func people() async throws -> [AccountPerson] {
        let signIns = try (0..<plan.people).map { try jobs.signIn(Self.firstPerson + $0, uid: nil) }
        return try await driver.complete(signIns, .new).map { AccountPerson(number: $0.person, session: $0.reply) }
            .sorted { $0.number < $1.number }
    }

    /// Begins the sessions of users. The first refresh of an account in a day writes, all later ones read.
    private func sessions(of people: [AccountPerson]) async throws -> [AccountDriver.Completed] {
        let first = people.map { AccountDriver.Completed(person: $0.number, reply: $0.session) }
        let refreshes = try first.map { try jobs.refresh($0.reply, of: $0.person) }
        _ = try await driver.complete(refreshes, .refresh)
        let signIns = try (1..<max(plan.sessionsEach, 1)).flatMap { _ in
            try people.map { try jobs.signIn($0.number, uid: $0.uid) }
        }
        let further = try await driver.complete(signIns, .known)
        return first + further
    }

    private func lookups(of people: [AccountPerson]) async throws -> [AccountJob] {
        try await sessions(of: people).map { try jobs.lookup($0.reply, of: $0.person) }
    }

    /// Sign-ins of users in turn.
    private func signIns(_ count: Int, of people: [AccountPerson]) throws -> [AccountJob] {
        guard !people.isEmpty else { return [] }
        return try (0..<count).map { number in
            let person = people[number % people.count]
            return try jobs.signIn(person.number, uid: person.uid, spoiling: spoiling(number))
        }
    }

    private func newSignIns(after count: Int) throws -> [AccountJob] {
        try (0..<plan.signIns).map { number in
            try jobs.signIn(Self.firstPerson + count + number, uid: nil, spoiling: spoiling(number))
        }
    }

    private func spoiling(_ number: Int) -> Spoiling? {
        guard let spoilsEvery, spoilsEvery > 0, (number + 1) % spoilsEvery == 0 else { return nil }
        return .signature
    }
}
