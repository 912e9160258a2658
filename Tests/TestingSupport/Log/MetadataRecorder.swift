// SPDX-License-Identifier: Apache-2.0

package import Logging
import Synchronization

/// A recorder of what the lines of a logger say beside their message, such as those about requests.
package final class MetadataRecorder: Sendable {
    private let storage = Mutex<[[String: String]]>([])

    /// A recorder without lines.
    package init() {}

    /// The metadata of each line so far, in their order.
    package var lines: [[String: String]] { storage.withLock { $0 } }

    /// A logger whose lines are recorded here.
    package var logger: Logger {
        .recording { [self] event in
            let line = (event.metadata ?? [:]).mapValues { "\($0)" }
            storage.withLock { $0.append(line) }
        }
    }
}
