// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// An inbound part or event that was received while a response of the broker was due, and is handled afterwards in
/// order.
enum HeldInbound {
    /// A part as received, and the memory that it takes, in bytes.
    case part(NIOAny, bytes: Int)
    /// A user event.
    case event(Any)
    /// A parser error.
    case error(any Error)

    /// The number of bytes that count against the limit of held bytes.
    var bytes: Int {
        switch self {
        case .part(_, let bytes): return bytes
        case .event, .error: return 0
        }
    }
}
