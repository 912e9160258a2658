// SPDX-License-Identifier: Apache-2.0

import Admission

/// The places of users' requests that wait for the store, or for an RSA signature. Each place counts for the account
/// that the request is about, or for the identity while that is not known, and for each network of the client, so that
/// none of them fills a queue. The queues of a store, which knows no users, have as many places.
package struct AccountQueues: Sendable {
    /// Whose places are counted together.
    enum Holder: Sendable, Hashable {
        case account(AccountID)
        case identity(IdentityKey)
        case network([UInt8])
    }

    /// Requests that only read.
    let reads: QueuePlaces<Holder>
    /// Requests that write.
    let writes: QueuePlaces<Holder>
    /// Sign-ins and links that end with an RSA signature. While the store cannot write, they keep their places, and
    /// sessions are refreshed, which mostly reads.
    let signIns: QueuePlaces<Holder>
    /// Refreshes that end with an RSA signature.
    let refreshes: QueuePlaces<Holder>
    /// Sign-ins that wait for a decision about a new account. They count for the networks of the client. Each network
    /// has at most a tenth of the places.
    let newAccounts = QueuePlaces<Holder>(maximum: 64, share: 6)
    /// When the store that is waited for was away.
    let storeReturn = StoreReturn()

    /// Creates empty queues.
    package init() {
        self.init(transactions: 1024, signatures: 256)
    }

    /// - Parameters:
    ///   - transactions: The maximum number of requests that read, and of those that write.
    ///   - signatures: The maximum number of requests of one kind that wait for an RSA signature: half a second's worth
    ///     on one processor.
    init(transactions: Int, signatures: Int) {
        reads = QueuePlaces(maximum: transactions)
        writes = QueuePlaces(maximum: transactions)
        signIns = QueuePlaces(maximum: signatures)
        refreshes = QueuePlaces(maximum: signatures)
    }
}
