// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// For how long a provider keeps connections that are idle, as far as is known: a request that is sent on one that the
/// provider is about to end may be lost. Without a clock and without connections.
///
/// What the provider says (`Keep-Alive: timeout=`) counts; so does when it ended one. An end teaches for an hour only: it
/// may have been a restart.
package struct IdleLifetime: Sendable {
    /// The longest, and where nothing is known.
    package static let longest = TimeAmount.seconds(60)
    /// The shortest that an end teaches.
    package static let shortestLearned = TimeAmount.seconds(1)
    /// For how long an end is remembered.
    package static let memory = TimeAmount.hours(1)

    private var announced: TimeAmount?
    private var learned: (limit: TimeAmount, until: NIODeadline)?

    /// Nothing is known.
    package init() {}

    /// How long a connection may have been idle and still be used; none may where it is zero.
    package func limit(at now: NIODeadline) -> TimeAmount {
        let said = announced ?? Self.longest
        guard let learned, learned.until > now else { return said }
        return min(said, learned.limit)
    }

    /// A response's `Keep-Alive` (RFC 2068 section 19.7.1.1); nil for none.
    package mutating func answered(keepAlive field: String?) {
        guard let field, let seconds = Self.timeout(field) else { return }
        // A second for the way there and for clocks that differ.
        announced = min(.seconds(max(0, seconds - 1)), Self.longest)
    }

    /// The provider ended a connection that had been idle for this long.
    package mutating func ended(afterIdle idle: TimeAmount, at now: NIODeadline) {
        guard idle < limit(at: now) else { return }
        let limit = TimeAmount.nanoseconds(max(0, idle.nanoseconds) / 4 * 3)
        learned = (max(limit, Self.shortestLearned), now + Self.memory)
    }

    /// The seconds of `timeout=`, as far as they matter; `nil` if there is none that can be read.
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
