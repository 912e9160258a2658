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
        var bytes = Self.bytes(traceHigh)
        bytes += Self.bytes(traceLow)
        bytes += Self.bytes(span)
        bytes.append(isSampled ? 1 : 0)
        return TraceParent(bytes: bytes)
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
}

extension SpanIdentity {
    /// Reads what somebody told of a span.
    init(_ parent: TraceParent) {
        self.init(
            traceHigh: Self.number(parent.bytes[0..<8]), traceLow: Self.number(parent.bytes[8..<16]),
            span: Self.number(parent.bytes[16..<24]), isSampled: parent.isSampled)
    }
}
