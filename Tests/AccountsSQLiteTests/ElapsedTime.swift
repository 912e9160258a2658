// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// Time that passes when a test says so.
final class ElapsedTime: Sendable {
    private let time = Mutex(NIODeadline.distantPast)

    var now: NIODeadline { time.withLock { $0 } }

    func pass(_ amount: TimeAmount) {
        time.withLock { $0 = $0 + amount }
    }
}
