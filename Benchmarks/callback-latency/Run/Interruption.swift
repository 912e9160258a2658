// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// What happens when somebody stops this tool: the targets it has launched end with it, and its folder with a key in it
/// goes.
///
/// Targets are in process groups of their own, so that they do not hear what the terminal says, and listen on ports that
/// nobody would look for later.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    /// Waits for SIGINT and SIGTERM; at either everything ends, and this process.
    init(_ workplace: Workplace) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                LaunchedTarget.endAll()
                workplace.remove()
                // As a shell says it of a program that a signal has ended.
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// Waits no more.
    func stop() {
        for source in sources { source.cancel() }
    }
}

@available(*, unavailable)
extension Interruption: Sendable {}
