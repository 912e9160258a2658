// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells the first of several callers from the others.
final class Turn: Sendable {
    private let isTaken = Mutex(false)

    /// Returns whether this is the first call.
    func isFirst() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }
}
