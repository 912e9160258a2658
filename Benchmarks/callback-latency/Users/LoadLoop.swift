// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// The virtual users of one event loop, and their results.
final class LoadLoop {
    /// The part of a load on one event loop.
    struct Share: Sendable {
        var schedule: any LoadSchedule
        var window: MeasurementWindow
        var basis: LoadRecorder.Basis
        var users: Int
        var extent: LoadShape.Extent
        /// The share of sign-ins whose credential is redeemed.
        var redeemed: Double
        /// The interval of sign-ins whose ID token has a broken signature; `nil` for none.
        var spoilsEvery: Int?
        /// The number of the event loop, so that no two sign-ins have the same `state`.
        var number: Int
    }

    private let plan: LoadPlan
    private let share: Share
    private let eventLoop: any EventLoop
    private let seed = String(UInt64.random(in: 0 ... .max), radix: 36)
    private var schedule: any LoadSchedule
    private var recorder: LoadRecorder
    private var users: [VirtualUser] = []
    private var assignments: [Assignment?]
    private var isSpoiled: [Bool]
    private var count = 0
    private let wakeUp: WakeUpTimer
    private var patrol: Scheduled<Void>?
    private var isStopped = false
    /// The credentials of a load that consists only of redemptions.
    private var stock: RedemptionStock?
    /// The users that wait for redemptions to begin.
    private var waiting: [Assignment] = []

    init(plan: LoadPlan, share: Share, eventLoop: any EventLoop) {
        self.plan = plan
        self.share = share
        self.eventLoop = eventLoop
        wakeUp = WakeUpTimer(on: eventLoop)
        schedule = share.schedule
        recorder = LoadRecorder(window: share.window, basis: share.basis)
        if share.extent == .redemption { stock = RedemptionStock(window: share.window) }
        assignments = Array(repeating: nil, count: share.users)
        isSpoiled = Array(repeating: false, count: share.users)
        users = (0..<share.users).map { number in
            VirtualUser(plan: plan, eventLoop: eventLoop) { [weak self] outcome in
                self?.ended(number, outcome)
            }
        }
    }

    /// Lets the users begin.
    func begin() {
        advance()
        watch()
    }

    /// Returns the events since the last call.
    func takeInterval() -> IntervalSummary { recorder.takeInterval() }

    /// The results so far.
    var seen: LoadRecorder { recorder }

    /// The number of sign-ins under way.
    var busyCount: Int { users.count { !$0.isIdle } }

    /// The number of connections opened so far.
    var connectionCount: UInt64 { users.reduce(0) { $0 + $1.connectionCount } }

    /// Whether nothing further will happen.
    var isDrained: Bool { busyCount == 0 && (schedule.isExhausted || MonotonicClock.now() >= share.window.end) }

    /// Ends everything. Sign-ins of the window that are still under way are errors if they were expected to end.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        wakeUp.cancel()
        patrol?.cancel()
        let now = MonotonicClock.now()
        for (number, user) in users.enumerated() {
            if share.basis == .intendedStart, !user.isIdle, let assignment = assignments[number] {
                recorder.recordError("not over at the end", intendedStart: assignment.intendedStart, end: now)
            }
            user.leave()
        }
    }

    // MARK: Sign-ins

    private func advance() {
        guard !isStopped else { return }
        for assignment in schedule.advance(to: MonotonicClock.now()) { begin(assignment) }
        setTimer()
    }

    private func begin(_ assignment: Assignment) {
        switch stock?.next(at: MonotonicClock.now()) {
        case nil: beginSignIn(assignment)
        case .signIn: beginSignIn(assignment)
        case .wait: wait(assignment)
        case .redeem(let values): beginRedemption(assignment, values)
        case .rest: break
        }
    }

    private func wait(_ assignment: Assignment) {
        waiting.append(assignment)
        guard waiting.count == 1, let opening = stock?.opening else { return }
        eventLoop.assumeIsolated().scheduleTask(deadline: MonotonicClock.deadline(opening)) {
            guard !self.isStopped else { return }
            let waiting = self.waiting
            self.waiting = []
            for assignment in waiting { self.begin(assignment) }
        }
    }

    private func beginRedemption(_ assignment: Assignment, _ values: SignInValues) {
        assignments[assignment.user] = assignment
        isSpoiled[assignment.user] = false
        users[assignment.user].redeem(
            values, intendedStart: MonotonicClock.now(), options: SignInOptions(extent: .redemption))
    }

    private func beginSignIn(_ assignment: Assignment) {
        count += 1
        let mark = "\(share.number)-\(count)-\(seed)"
        let values = SignInValues(
            state: "s\(mark)", nonce: "n\(mark)", provider: plan.providerCount > 1 ? count % plan.providerCount : 0,
            client: UInt16(truncatingIfNeeded: count))
        var options = SignInOptions(extent: share.extent == .start ? .start : .signIn)
        options.redeems =
            stock == nil
            && (Double(count) * share.redeemed).rounded(.down)
                > (Double(count - 1) * share.redeemed).rounded(.down)
        // A load of starts alone never uses an ID token.
        if let every = share.spoilsEvery, every > 0, count % every == 0, share.extent == .signIn,
            plan.target.isValidating
        {
            options.spoiling = .signature
        }
        assignments[assignment.user] = assignment
        isSpoiled[assignment.user] = options.spoiling != nil
        users[assignment.user].begin(intendedStart: assignment.intendedStart, values: values, options: options)
    }

    private func ended(_ user: Int, _ outcome: SignInOutcome) {
        guard !isStopped, let assignment = assignments[user] else { return }
        assignments[user] = nil
        let now = MonotonicClock.now()
        switch outcome {
        case .verified(let sample, let values):
            if stock != nil, sample.redeem == nil {
                stock?.keep(values)
            } else if isSpoiled[user] {
                recorder.recordError(
                    LoadRecorder.acceptedSpoiled, intendedStart: assignment.intendedStart, end: sample.end)
            } else {
                recorder.record(sample)
            }
        case .refused(let kind, let time):
            if isSpoiled[user] {
                recorder.recordRefusal(intendedStart: assignment.intendedStart, end: time)
            } else {
                recorder.recordError(kind, intendedStart: assignment.intendedStart, end: time)
            }
        case .failed(let kind, let time):
            recorder.recordError(kind, intendedStart: assignment.intendedStart, end: time)
            // The delay prevents a loop with a target that refuses connections.
            eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(2)) { self.becameIdle(user) }
            return
        }
        goOn(user, at: now)
    }

    private func becameIdle(_ user: Int) {
        guard !isStopped else { return }
        goOn(user, at: MonotonicClock.now())
    }

    private func goOn(_ user: Int, at now: Int64) {
        for assignment in schedule.userBecameIdle(user, at: now) { begin(assignment) }
        setTimer()
    }

    // MARK: Time

    private func setTimer() {
        wakeUp.set(at: schedule.wakeUp) { self.advance() }
    }

    /// Checks once a second for users that have waited too long.
    private func watch() {
        patrol = eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
            guard !self.isStopped else { return }
            let now = MonotonicClock.now()
            for user in self.users { user.expire(at: now) }
            self.watch()
        }
    }
}

@available(*, unavailable)
extension LoadLoop: Sendable {}
