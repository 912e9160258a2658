// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// How many streams of a connection were in error lately. NIO counts those that it finds itself; heads are validated here.
struct StreamErrors {
    /// What is counted together.
    static let window = TimeAmount.seconds(30)

    /// How many may be in error in a window.
    let maximum: Int
    private var count = 0
    private var begin = NIODeadline.distantPast

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// One more.
    ///
    /// - Returns: whether it is one too many.
    mutating func erred(at now: NIODeadline) -> Bool {
        if count == 0 || now >= begin + Self.window {
            begin = now
            count = 0
        }
        count += 1
        return count > maximum
    }
}
