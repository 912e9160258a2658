// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A primary as one sentinel sees it.
struct WatchedPrimary: Sendable, Hashable {
    /// The longest time between two questions of a sentinel to its primary (`SENTINEL_PING_PERIOD`).
    private static let pingPeriod = TimeAmount.seconds(1)
    /// How late a sentinel may be with a question and with its verdict, as it looks ten times a second.
    private static let lateness = TimeAmount.milliseconds(250)

    /// Its address.
    let address: ValkeyAddress
    /// Whether the sentinel reaches it, and is not about to put another one in its place.
    let isReached: Bool
    /// The time without an answer after which the sentinel says that it does not reach it: `down-after-milliseconds`.
    let downAfter: TimeAmount

    /// The time after which a primary that was cut off is no longer called reached: the last answer may be as old as a
    /// question that was not sent yet.
    var noticedWithin: TimeAmount { downAfter + min(downAfter, Self.pingPeriod) + Self.lateness }
}

extension SentinelAnswers {
    /// The longest `down-after-milliseconds` that is read: a day.
    private static let longestDownAfter: Int64 = 86_400_000

    /// Reads the answer to `SENTINEL MASTER`, a list of names and values.
    static func watched(_ answer: RESPValue) throws(ValkeyStoreError) -> WatchedPrimary {
        guard case .array(let parts) = answer, parts.count.isMultiple(of: 2) else {
            throw ValkeyStoreError(unexpected: answer)
        }
        var fields: [[UInt8]: [UInt8]] = [:]
        for index in stride(from: 0, to: parts.count, by: 2) {
            guard case .bulk(let name) = parts[index], case .bulk(let value) = parts[index + 1],
                fields.updateValue(value, forKey: name) == nil
            else { throw ValkeyStoreError(unexpected: answer) }
        }
        func field(_ name: String) -> [UInt8]? { fields[Array(name.utf8)] }
        guard let host = field("ip"), let port = field("port"), let address = ValkeyAddress(host: host, port: port),
            let flags = field("flags")?.split(separator: UInt8(ascii: ",")),
            let downAfter = field("down-after-milliseconds").flatMap({ RESPNumber.integer($0) }),
            (1...longestDownAfter).contains(downAfter)
        else { throw ValkeyStoreError.unexpectedAnswer.with("a sentinel did not report the primary") }
        // A sentinel that leads a planned failover goes on to name the primary of before for a while.
        let isReached = !flags.contains { flag in
            ["s_down", "o_down", "failover_in_progress"].contains { flag.elementsEqual($0.utf8) }
        }
        return WatchedPrimary(address: address, isReached: isReached, downAfter: .milliseconds(downAfter))
    }
}
