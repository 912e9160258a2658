// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOPosix

/// A single sign-in by a browser of its own, for the first one after a launch and for checks of what a target refuses.
struct SingleSignIn: Sendable {
    var plan: LoadPlan
    let eventLoop: any EventLoop

    /// Performs the sign-in.
    func run(_ options: SignInOptions = SignInOptions(), provider: Int = 0) async throws -> SignInOutcome {
        let promise = eventLoop.makePromise(of: SignInOutcome.self)
        let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
        let user = try await eventLoop.submit {
            let user = VirtualUser(plan: plan, eventLoop: eventLoop) { promise.succeed($0) }
            let bound = NIOLoopBound(user, eventLoop: eventLoop)
            user.begin(
                intendedStart: MonotonicClock.now(),
                values: SignInValues(
                    state: "s\(mark)", nonce: "n\(mark)", provider: provider, client: .random(in: 0 ... .max)),
                options: options)
            return bound
        }.get()
        // The timeout of this single sign-in, which no load loop watches.
        let timeout = eventLoop.scheduleTask(in: .nanoseconds(LoadPlan.patience)) {
            promise.succeed(.failed("no response in time", at: MonotonicClock.now()))
        }
        let outcome = try await promise.futureResult.get()
        timeout.cancel()
        try await eventLoop.submit { user.value.leave() }.get()
        return outcome
    }
}
