// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// What does jobs to the last one, outside of what is measured.
struct AccountDriver: Sendable {
    let plan: LoadPlan
    let eventLoop: any EventLoop
    /// The number of jobs at a time.
    let users: Int
    let tokens: AccountTokenCheck

    /// How often it is seen whether the jobs are done.
    static let step = Duration.milliseconds(2)

    /// Does each job once.
    func outcomes(of jobs: [AccountJob], _ part: SignInPart) async throws -> [AccountOutcome] {
        guard !jobs.isEmpty else { return [] }
        let load = AccountLane.Load(part: part, jobs: jobs, allowance: 1, users: max(1, min(users, jobs.count)))
        let lanes = try await AccountLanes([load], plan: plan, on: eventLoop)
        try await lanes.begin()
        try await Self.wait(for: lanes)
        return try await lanes.end().flatMap(\.self)
    }

    /// Waits until lanes are done.
    static func wait(for lanes: AccountLanes) async throws {
        while try await !lanes.state().isDone { try await Task.sleep(for: step) }
    }

    /// Does each job once, and verifies each of them.
    ///
    /// - Throws: ``LatencyToolError`` if one went wrong.
    func complete(_ jobs: [AccountJob], _ part: SignInPart) async throws -> [Completed] {
        try await completed(outcomes(of: jobs, part), part)
    }

    /// Verifies operations.
    ///
    /// - Returns: The operations, each with what its response said, in the order in which they ended.
    /// - Throws: ``LatencyToolError`` if one went wrong.
    func completed(_ outcomes: [AccountOutcome], _ part: SignInPart) throws -> [Completed] {
        try outcomes.map { outcome in
            switch outcome.result {
            case .success(let reply):
                if let idToken = reply.idToken, let fault = tokens.fault(in: idToken, of: reply.uid) {
                    throw LatencyToolError("outside of the load: \(part.rawValue): \(fault)")
                }
                return Completed(person: outcome.person, reply: reply)
            case .failure(let fault):
                throw LatencyToolError("outside of the load: \(part.rawValue): \(fault)")
            }
        }
    }

    /// An operation of a user that succeeded.
    struct Completed: Sendable {
        let person: Int
        let reply: AccountReply
    }
}
