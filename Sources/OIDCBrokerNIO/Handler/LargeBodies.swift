// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What unfinished bodies may have in memory beyond their first 8 KB, all connections of the process together.
///
/// The first 8 KB of a body, more than the form of a sign-in has, are nobody else's: clients that send long bodies and
/// never end them take nothing from those who sign in.
final class LargeBodies: Sendable {
    /// What each body has for itself, bytes.
    static let ownBytes = 8192
    /// The process's.
    static let shared = LargeBodies(maximumBytes: 16 << 20)

    private let maximumBytes: Int
    private let bytes = Atomic<Int>(0)

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Bytes that unfinished bodies have beyond their first.
    var bytesInUse: Int { bytes.load(ordering: .relaxed) }

    /// One body's part; given back when nobody has it any more, however the request ended.
    final class Share {
        private let bodies: LargeBodies
        private var bytes = 0

        init(_ bodies: LargeBodies) { self.bodies = bodies }

        deinit { bodies.bytes.subtract(bytes, ordering: .relaxed) }

        /// The body is that long now.
        /// - Returns: whether there is room for it.
        func grow(toBodyOf length: Int) -> Bool {
            let more = max(0, length - LargeBodies.ownBytes) - bytes
            guard more > 0 else { return true }
            guard bodies.bytes.add(more, ordering: .relaxed).newValue <= bodies.maximumBytes else {
                bodies.bytes.subtract(more, ordering: .relaxed)
                return false
            }
            bytes += more
            return true
        }
    }
}

@available(*, unavailable)
extension LargeBodies.Share: Sendable {}
