// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What came in while a response of ours was due, to be looked at afterwards in the order in which it came.
enum HeldInbound {
    /// A part as it came, and how many bytes of body it has.
    case part(NIOAny, bytes: Int)
    /// A user event.
    case event(Any)
    /// A parser error.
    case error(any Error)

    /// What it counts against the limit of held bytes.
    var bytes: Int {
        switch self {
        case .part(_, let bytes): return bytes
        case .event, .error: return 0
        }
    }
}
