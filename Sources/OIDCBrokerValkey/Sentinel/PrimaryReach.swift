// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Whether more than half of all sentinels name an address as that of the primary, and whether they reach it. It performs
/// no I/O and has no clock.
///
/// Where standbys are silent, this tells a primary that is cut off from one whose standbys died.
struct PrimaryReach {
    /// What most sentinels say.
    enum Verdict: Sendable, Hashable {
        /// Most of them name another address, or do not answer.
        case notNamed
        /// Most of them name it, and so many do not reach it.
        case named
        /// Most of them name it and reach it. If it is cut off, they say so after this time at the latest.
        case reached(noticedWithin: TimeAmount)
    }

    enum Action: Hashable {
        /// Other answers are to come, or it is decided already.
        case wait
        /// It is decided.
        case decide(Verdict)
    }

    private let address: ValkeyAddress
    private let sentinels: Int
    private var answers = 0
    private var named = 0
    private var reached = 0
    /// The longest time of those that reach it.
    private var noticedWithin = TimeAmount.zero
    private var isDecided = false

    /// - Parameters:
    ///   - address: The address.
    ///   - sentinels: The number of sentinels that are asked.
    init(of address: ValkeyAddress, sentinels: Int) {
        self.address = address
        self.sentinels = sentinels
    }

    /// A sentinel told what it sees.
    mutating func said(_ primary: WatchedPrimary) -> Action {
        if primary.address == address {
            named += 1
            if primary.isReached {
                reached += 1
                noticedWithin = max(noticedWithin, primary.noticedWithin)
            }
        }
        return answered()
    }

    /// A sentinel did not answer, or what it must not.
    mutating func failed() -> Action { answered() }

    private mutating func answered() -> Action {
        answers += 1
        guard !isDecided else { return .wait }
        if reached > sentinels / 2 { return decide(.reached(noticedWithin: noticedWithin)) }
        guard answers >= sentinels else { return .wait }
        return decide(named > sentinels / 2 ? .named : .notNamed)
    }

    private mutating func decide(_ verdict: Verdict) -> Action {
        isDecided = true
        return .decide(verdict)
    }
}
