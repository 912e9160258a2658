// SPDX-License-Identifier: Apache-2.0

package import Logging

/// A recorder of log lines, for which one test at a time can wait.
package final class LogRecorder: Sendable {
    /// A line that did not come before the recorder went.
    package struct Missing: Error {
        /// How it would have begun.
        package let message: String
    }

    private let messages: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    /// A recorder without lines.
    package init() {
        (messages, continuation) = AsyncStream.makeStream(of: String.self)
    }

    /// A logger whose lines are recorded here.
    package var logger: Logger {
        .recording { [continuation] event in _ = continuation.yield(event.message.description) }
    }

    /// Waits for the next line that begins so. Lines before it are forgotten.
    /// - Throws: ``Missing`` if the task is canceled before.
    package func wait(forPrefix prefix: String) async throws {
        for await message in messages where message.hasPrefix(prefix) { return }
        throw Missing(message: prefix)
    }
}
