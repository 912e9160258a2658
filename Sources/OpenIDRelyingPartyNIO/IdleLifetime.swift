// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// An estimate of the time for which a provider keeps idle connections: a request on a connection that the provider is
/// about to close may be lost. It has no clock and no connections of its own.
///
/// Both the provider's `Keep-Alive: timeout=` and the times at which it closed idle connections count. The latter are
/// remembered for one hour only, since a closed connection may have been caused by a restart.
package struct IdleLifetime: Sendable {
    /// The longest lifetime, also used if nothing is known.
    package static let longest = TimeAmount.seconds(60)
    /// The shortest lifetime that is learned from a closed connection.
    package static let shortestLearned = TimeAmount.seconds(1)
    /// The time for which a closed connection is remembered.
    package static let memory = TimeAmount.hours(1)

    private var announced: TimeAmount?
    private var learned: (limit: TimeAmount, until: NIODeadline)?

    /// Creates an estimate without any knowledge.
    package init() {}

    /// Returns the idle time up to which a connection may be used. If it is zero, connections are not reused.
    package func limit(at now: NIODeadline) -> TimeAmount {
        let said = announced ?? Self.longest
        guard let learned, learned.until > now else { return said }
        return min(said, learned.limit)
    }

    /// Records the `Keep-Alive` field of a response (RFC 2068 section 19.7.1.1), or its absence if it is `nil`.
    package mutating func answered(keepAlive field: String?) {
        guard let field, let seconds = Self.timeout(field) else { return }
        // One second is subtracted for the transmission time and for differences between clocks.
        announced = min(.seconds(max(0, seconds - 1)), Self.longest)
    }

    /// Records that the provider closed a connection that had been idle for this long.
    package mutating func ended(afterIdle idle: TimeAmount, at now: NIODeadline) {
        guard idle < limit(at: now) else { return }
        let limit = TimeAmount.nanoseconds(max(0, idle.nanoseconds) / 4 * 3)
        learned = (max(limit, Self.shortestLearned), now + Self.memory)
    }

    /// The value of `timeout=` in seconds, clamped to one day; `nil` if there is none that can be parsed.
    private static func timeout(_ field: String) -> Int64? {
        let bytes = field.utf8
        guard bytes.count <= 128 else { return nil }
        for parameter in bytes.split(separator: UInt8(ascii: ",")) {
            let text = parameter.drop { $0 == 0x20 || $0 == 0x09 }
            let name = "timeout="
            guard text.count > name.utf8.count,
                zip(text, name.utf8).allSatisfy({ $0 == $1 || ($0 | 0x20 == $1 && $1 != UInt8(ascii: "=")) })
            else { continue }
            var seconds: Int64 = 0
            for byte in text.dropFirst(name.utf8.count) {
                if byte == 0x20 || byte == 0x09 { break }
                guard (0x30...0x39).contains(byte) else { return nil }
                seconds = min(seconds * 10 + Int64(byte - 0x30), 86_400)
            }
            return seconds
        }
        return nil
    }
}
