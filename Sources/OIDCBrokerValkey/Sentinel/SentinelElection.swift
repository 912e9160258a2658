// SPDX-License-Identifier: Apache-2.0

/// Which of the addresses that sentinels name for a primary are tried, and in which order. It performs no I/O.
///
/// A server that was the primary says so for seconds after a failover. So the address that more than
/// half of all sentinels name is the only one. Without one, once all have answered or failed, the one that most name comes
/// first.
struct SentinelElection {
    enum Action: Hashable {
        /// Other answers are to come, or it is decided already.
        case wait
        /// Try these addresses, at least one, in this order.
        case decide([ValkeyAddress])
        /// No sentinel named an address.
        case fail(ValkeyStoreError)
    }

    private struct Candidate {
        let address: ValkeyAddress
        var votes = 1
    }

    private let sentinels: Int
    private var answers = 0
    /// The addresses, in the order in which they were first named.
    private var candidates: [Candidate] = []
    private var isDecided = false
    private var failure: ValkeyStoreError?

    /// - Parameter sentinels: The number of sentinels that are asked.
    init(sentinels: Int) {
        self.sentinels = sentinels
    }

    /// A sentinel named an address; `nil` if it does not know the name of the primary.
    mutating func named(_ address: ValkeyAddress?) -> Action {
        guard let address else { return failed(.unexpectedAnswer.with("a sentinel does not know the primary's name")) }
        if let index = candidates.firstIndex(where: { $0.address == address }) {
            candidates[index].votes += 1
        } else {
            candidates.append(Candidate(address: address))
        }
        return answered()
    }

    /// A sentinel did not answer, or what it must not.
    mutating func failed(_ error: ValkeyStoreError) -> Action {
        // A problem that the operator has to correct says more than a missing answer.
        if failure == nil || error.isRefusal && failure?.isRefusal == false { failure = error }
        return answered()
    }

    private mutating func answered() -> Action {
        answers += 1
        guard !isDecided else { return .wait }
        let hasMajority = candidates.contains { $0.votes > sentinels / 2 }
        guard hasMajority || answers >= sentinels else { return .wait }
        isDecided = true
        guard !candidates.isEmpty else { return .fail(failure ?? .unreachable) }
        // An address that is outvoted is a primary of before.
        if let elected = candidates.first(where: { $0.votes > sentinels / 2 }) { return .decide([elected.address]) }
        let order = candidates.enumerated().sorted { left, right in
            left.element.votes == right.element.votes
                ? left.offset < right.offset : left.element.votes > right.element.votes
        }
        return .decide(order.map { $0.element.address })
    }
}
