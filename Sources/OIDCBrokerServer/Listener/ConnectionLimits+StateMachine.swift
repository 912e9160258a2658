// SPDX-License-Identifier: Apache-2.0

import Admission

extension ConnectionLimits {
    /// The open connections, and how fast networks open them. It has no lock and no clock; `now` is given in seconds of
    /// elapsed time.
    struct StateMachine: Sendable {
        /// What becomes of a connection.
        enum Opening: Sendable, Hashable {
            /// It is open, and ``StateMachine/close(from:)`` must follow.
            case opened
            /// It is closed, and was not counted.
            case refused(ConnectionRefusal, Line)
        }

        /// Whether a refusal is written into the log. Of each kind the first one in a second is.
        enum Line: Sendable, Hashable {
            /// It is, with the number of those that were left out since the last one.
            case write(leftOut: Int)
            /// It is not.
            case leaveOut
        }

        private struct Written: Sendable {
            let second: Int64
            var leftOut = 0
        }

        /// The open connections.
        private(set) var open = NetworkShares()
        /// How fast networks may open more.
        private var rate = RateBuckets(.connections)
        private var written: [ConnectionRefusal: Written] = [:]
        /// The second in which idle connections were last looked for.
        private var lookedAt: Int64?

        /// The number of open connections.
        var count: Int { open.total }

        /// The number of networks with connections: one for an IPv4 address, three for an IPv6 one.
        var networkCount: Int { open.networkCount }

        /// Opens a connection.
        /// - Parameters:
        ///   - client: The address of the client; `nil` for one without a limit of its own.
        ///   - maximum: The maximum number of connections.
        ///   - refusal: Why one more than all is refused.
        ///   - maximumOfAddress: The maximum number of connections from one address, IPv6 from one /64; four times as
        ///     many from a /56, and eight times from a /48. Any network up to a /48 may open a quarter of this number
        ///     each second, but at least 16, and eight times that at once.
        mutating func open(
            from client: IPAddress?, atMost maximum: Int, over refusal: ConnectionRefusal = .total,
            ofAddress maximumOfAddress: Int, now: Int64
        ) -> Opening {
            if let refusal = take(client, ofAddress: maximumOfAddress, now: now) {
                return .refused(refusal, line(refusal, now: now))
            }
            switch open.take(1, for: client, of: maximum, share: maximumOfAddress) {
            case nil: return .opened
            case .network: return .refused(.address, line(.address, now: now))
            case .total: return .refused(refusal, line(refusal, now: now))
            }
        }

        /// Whether idle connections may be looked for, which takes long where there are many: once a second.
        mutating func mayLook(now: Int64) -> Bool {
            guard lookedAt != now else { return false }
            lookedAt = now
            return true
        }

        /// Closes a connection that was opened.
        mutating func close(from client: IPAddress?) { open.giveBack(1, for: client) }

        /// Counts a new connection. A handshake costs the server ten times what it costs the client: 64 a second with
        /// an RSA key are 4 % of a processor.
        private mutating func take(_ client: IPAddress?, ofAddress maximum: Int, now: Int64) -> ConnectionRefusal? {
            guard let client else { return nil }
            let perSecond = max(16, maximum / 4)
            rate.replace(by: TokenBucketRate(perSecond: perSecond, burst: perSecond * 8))
            return rate.take(client, at: nil, now: now) == nil ? nil : .rate
        }

        /// Returns whether a refusal is written into the log.
        mutating func line(_ refusal: ConnectionRefusal, now: Int64) -> Line {
            if let last = written[refusal], last.second == now {
                written[refusal]?.leftOut = last.leftOut &+ 1
                return .leaveOut
            }
            let leftOut = written[refusal]?.leftOut ?? 0
            written[refusal] = Written(second: now)
            return .write(leftOut: leftOut)
        }
    }
}
