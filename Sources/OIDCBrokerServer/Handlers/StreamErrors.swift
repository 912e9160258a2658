// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A counter of recent stream errors on a connection. NIO counts those that it detects itself; heads are validated
/// here.
struct StreamErrors {
    /// The length of the window in which errors are counted together.
    static let window = TimeAmount.seconds(30)

    /// The maximum number of errors in a window.
    let maximum: Int
    private var count = 0
    private var begin = NIODeadline.distantPast

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Records an error.
    ///
    /// - Returns: Whether the maximum is exceeded.
    mutating func erred(at now: NIODeadline) -> Bool {
        if count == 0 || now >= begin + Self.window {
            begin = now
            count = 0
        }
        count += 1
        return count > maximum
    }
}
