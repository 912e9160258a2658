// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Lines in the order in which things happened; shared by handlers, stubs and tests.
final class Log: Sendable {
    private let storage = Mutex<[String]>([])

    func append(_ line: String) {
        self.storage.withLock { $0.append(line) }
    }

    var lines: [String] {
        self.storage.withLock { $0 }
    }

    /// How often a line was written.
    func count(_ line: String) -> Int {
        self.lines.count { $0 == line }
    }
}
