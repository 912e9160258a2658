// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Synchronization

/// The text of the metrics, which is kept for the rest of the second in which it was made. However often it is asked
/// for, it is made once a second in each format, and responses that wait to be read share it.
final class RenderedMetrics: Sendable {
    private struct Kept: Sendable {
        let second: Int64
        let text: ByteBuffer
    }

    private let clock: any ElapsedClock
    private let kept = Mutex<[ExpositionFormat: Kept]>([:])

    /// - Parameter clock: The clock, whose seconds count.
    init(clock: any ElapsedClock) {
        self.clock = clock
    }

    /// Returns the text in a format.
    /// - Parameter make: A closure that makes it, unless it was made in this second.
    func text(_ format: ExpositionFormat, make: () -> [UInt8]) -> ByteBuffer {
        let now = clock.now()
        if let known = kept.withLock({ $0[format] }), known.second == now { return known.text }
        // Outside the lock, since sources and the backend may be an embedder's.
        let text = ByteBuffer(bytes: make())
        kept.withLock { $0[format] = Kept(second: now, text: text) }
        return text
    }
}
