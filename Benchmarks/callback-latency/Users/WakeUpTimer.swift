// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// The timer for the next event of a schedule, on an event loop. ``WakeUp`` decides when it is set anew.
final class WakeUpTimer {
    private let eventLoop: any EventLoop
    private var wakeUp = WakeUp()
    private var timer: Scheduled<Void>?

    init(on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Sets the timer, unless it is set for that time already.
    ///
    /// - Parameters:
    ///   - time: The time of the next event; `nil` for none.
    ///   - fire: A closure that is called at the time.
    func set(at time: Int64?, _ fire: @escaping () -> Void) {
        switch wakeUp.isWanted(at: time) {
        case .keep:
            break
        case .cancel:
            cancel()
        case .set(let time, let number):
            cancel()
            timer = eventLoop.assumeIsolated().scheduleTask(deadline: MonotonicClock.deadline(time)) {
                if self.wakeUp.fired(number) { fire() }
            }
        }
    }

    /// Cancels the timer if it is set.
    func cancel() {
        timer?.cancel()
        timer = nil
    }
}

@available(*, unavailable)
extension WakeUpTimer: Sendable {}
