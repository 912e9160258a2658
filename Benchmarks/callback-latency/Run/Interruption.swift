// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// The handling of an interruption of this tool: the targets that it launched are stopped, and its folder with a key is
/// removed.
///
/// Targets are in process groups of their own, so they do not receive signals of the terminal, and would continue to
/// listen.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    /// Waits for SIGINT and SIGTERM. Either stops everything and ends this process.
    init(_ workplace: Workplace) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                LaunchedTarget.endAll()
                workplace.remove()
                // The status that shells use for a program ended by a signal.
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// Stops waiting.
    func stop() {
        for source in sources { source.cancel() }
    }
}

@available(*, unavailable)
extension Interruption: Sendable {}
