// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Tracing

/// The IDs of a span and of its trace, and whether the span is recorded.
struct SpanIdentity: Sendable {
    /// The key in a context.
    enum Key: ServiceContextKey {
        typealias Value = SpanIdentity
    }

    var traceHigh: UInt64
    var traceLow: UInt64
    var span: UInt64
    var isSampled: Bool

    /// The same as it is told to others.
    var parent: TraceParent? {
        TraceParent(traceHigh: traceHigh, traceLow: traceLow, span: span, isSampled: isSampled)
    }
}

extension SpanIdentity {
    /// Reads what another part reported of a span.
    init(_ parent: TraceParent) {
        self.init(
            traceHigh: parent.traceHigh, traceLow: parent.traceLow, span: parent.span, isSampled: parent.isSampled)
    }
}
