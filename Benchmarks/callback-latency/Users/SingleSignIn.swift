// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOPosix

/// One sign-in by a browser of its own: for the first one after a launch, and to see what a target refuses.
struct SingleSignIn: Sendable {
    let plan: LoadPlan
    let eventLoop: any EventLoop

    /// Signs in.
    func run(_ options: SignInOptions = SignInOptions(), provider: Int = 0) async throws -> SignInOutcome {
        let promise = eventLoop.makePromise(of: SignInOutcome.self)
        let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
        let user = try await eventLoop.submit {
            let user = VirtualUser(plan: plan, eventLoop: eventLoop) { promise.succeed($0) }
            let bound = NIOLoopBound(user, eventLoop: eventLoop)
            user.begin(
                intendedStart: MonotonicClock.now(),
                values: SignInValues(state: "s\(mark)", nonce: "n\(mark)", provider: provider), options: options)
            return bound
        }.get()
        // Nobody else looks after this one's patience.
        let timeout = eventLoop.scheduleTask(in: .nanoseconds(LoadPlan.patience)) {
            promise.succeed(.failed("no response in time", at: MonotonicClock.now()))
        }
        let outcome = try await promise.futureResult.get()
        timeout.cancel()
        try await eventLoop.submit { user.value.leave() }.get()
        return outcome
    }
}
