// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// The users of one event loop who perform operations of one kind, and what became of each operation.
final class AccountLane {
    /// A kind of operations and how many of them there are at a time.
    struct Load: Sendable {
        let part: SignInPart
        let jobs: [AccountJob]
        /// How often each job may be done; `nil` for any number of times.
        let allowance: Int?
        /// The number of operations at a time; with a rate at most.
        let users: Int
        /// The operations per second of an open loop; `nil` for a closed one.
        var rate: Double?

        /// The time by which an operation belongs to a window.
        var basis: LoadRecorder.Basis { rate == nil ? .end : .intendedStart }
    }

    private struct Current {
        let job: Int
        let assignment: Assignment
    }

    /// The number of users of an open loop.
    static let openUsers = TableStep.openConcurrency
    /// The end of the arrivals of an open loop, in nanoseconds from its beginning.
    private static let longest: Int64 = 3_600_000_000_000

    /// The operations that have ended.
    private(set) var outcomes: [AccountOutcome] = []

    private var jobs: [AccountJob]
    private let eventLoop: any EventLoop
    private var rotation: AccountRotation
    private var schedule: any LoadSchedule
    private var users: [AccountUser] = []
    private var current: [Current?]
    private var interval = IntervalSummary()
    private let wakeUp: WakeUpTimer
    private var patrol: Scheduled<Void>?
    private var isStopped = false

    /// Creates users. None of them begins yet.
    init(_ load: Load, plan: LoadPlan, eventLoop: any EventLoop, begin: Int64) {
        jobs = load.jobs
        self.eventLoop = eventLoop
        wakeUp = WakeUpTimer(on: eventLoop)
        rotation = AccountRotation(count: load.jobs.count, allowance: load.allowance)
        schedule = Self.schedule(load, begin: begin)
        current = Array(repeating: nil, count: load.users)
        users = (0..<load.users).map { number in
            AccountUser(plan: plan, eventLoop: eventLoop) { [weak self] response, time in
                self?.ended(number, response, at: time)
            }
        }
    }

    /// Takes another load of as many users, after the first one is done. Connections stay open.
    ///
    /// - Returns: The operations of the first one.
    func reload(_ load: Load, begin: Int64) -> [AccountOutcome] {
        jobs = load.jobs
        rotation = AccountRotation(count: load.jobs.count, allowance: load.allowance)
        schedule = Self.schedule(load, begin: begin)
        defer { outcomes = [] }
        return outcomes
    }

    /// Lets the users begin.
    func begin() {
        patrol?.cancel()
        advance()
        watch()
    }

    /// Lets no further operation begin.
    func stop() {
        isStopped = true
        wakeUp.cancel()
    }

    /// Closes all connections. Operations that are still under way are errors.
    func leave() {
        stop()
        patrol?.cancel()
        let now = MonotonicClock.now()
        for (number, user) in users.enumerated() {
            if let current = current[number] { note(current, .failure(AccountFault("not over at the end")), at: now) }
            current[number] = nil
            user.leave()
        }
    }

    /// Whether nothing is under way, and nothing will begin.
    var isDone: Bool { (isStopped || rotation.isExhausted) && users.allSatisfy(\.isIdle) }

    /// The share of the operations that the jobs allow which have begun; 0 if there is no limit.
    var usedShare: Double { rotation.usedShare }

    /// The number of connections opened so far.
    var connectionCount: UInt64 { users.reduce(0) { $0 + $1.connectionCount } }

    /// Returns the events since the last call.
    func takeInterval() -> IntervalSummary {
        defer { interval = IntervalSummary() }
        return interval
    }

    private static func schedule(_ load: Load, begin: Int64) -> any LoadSchedule {
        guard let rate = load.rate else { return ClosedLoop(users: load.users, begin: begin, end: .max) }
        return OpenLoop(users: load.users, rate: rate, begin: begin, end: begin + longest)
    }

    // MARK: Operations

    private func advance() {
        guard !isStopped else { return }
        for assignment in schedule.advance(to: MonotonicClock.now()) { begin(assignment) }
        setTimer()
    }

    /// Begins the next operation. If there is none, the user rests.
    private func begin(_ assignment: Assignment) {
        guard !isStopped, let job = rotation.next() else { return }
        current[assignment.user] = Current(job: job, assignment: assignment)
        users[assignment.user].send(jobs[job].request)
    }

    private func ended(_ user: Int, _ response: Result<TargetResponse, AccountFault>, at time: Int64) {
        guard let ended = current[user] else { return }
        current[user] = nil
        let result = reply(response, to: jobs[ended.job].expectation)
        note(ended, result, at: time)
        guard !isStopped else { return }
        if case .failure = result {
            // The delay prevents a loop with a target that refuses connections.
            eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(2)) { self.goOn(user) }
        } else {
            goOn(user)
        }
    }

    private func reply(
        _ response: Result<TargetResponse, AccountFault>, to expectation: AccountExpectation
    ) -> Result<AccountReply, AccountFault> {
        do throws(AccountFault) {
            return .success(try expectation.reply(in: try response.get()))
        } catch {
            return .failure(error)
        }
    }

    private func note(_ ended: Current, _ result: Result<AccountReply, AccountFault>, at time: Int64) {
        let job = jobs[ended.job]
        outcomes.append(
            AccountOutcome(
                person: job.person, expectation: job.expectation, intendedStart: ended.assignment.intendedStart,
                end: time, result: result))
        if case .success = result {
            interval.record(time - ended.assignment.intendedStart)
        } else {
            interval.errors += 1
        }
    }

    private func goOn(_ user: Int) {
        guard !isStopped else { return }
        for assignment in schedule.userBecameIdle(user, at: MonotonicClock.now()) { begin(assignment) }
        setTimer()
    }

    // MARK: Time

    private func setTimer() {
        wakeUp.set(at: schedule.wakeUp) { self.advance() }
    }

    /// Checks once a second for users that have waited too long.
    private func watch() {
        patrol = eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
            let now = MonotonicClock.now()
            for user in self.users { user.expire(at: now) }
            if !self.isDone { self.watch() }
        }
    }
}

@available(*, unavailable)
extension AccountLane: Sendable {}
