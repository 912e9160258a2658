// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension WaitingNames {
    /// A name that waits, and when it is written again if the store has it.
    struct Entry: Sendable {
        /// The time for which a name that the store has waits for standbys: they are back by then, or were replaced.
        static let lifetimeOfWritten = TimeAmount.minutes(10)
        /// The time after which a name that the store has is written again, for its standbys.
        static let pauseOfWritten = TimeAmount.seconds(5)

        var name: WaitingName
        /// Until then it waits.
        private(set) var end: NIODeadline
        /// When it is written again, if the store has it, but too few standbys do; otherwise `nil`.
        private var confirmation: NIODeadline?

        init(_ name: WaitingName, end: NIODeadline) {
            self.name = name
            self.end = end
        }

        /// Whether the store has it, but too few standbys do.
        var isWritten: Bool { confirmation != nil }

        /// Notes that the store has it, but too few standbys do.
        mutating func write(_ now: NIODeadline) {
            if !isWritten { end = min(end, now + Self.lifetimeOfWritten) }
            confirmation = now + Self.pauseOfWritten
        }

        /// Whether it may be written now.
        func isDue(_ now: NIODeadline) -> Bool { confirmation.map { $0 <= now } ?? true }
    }
}
