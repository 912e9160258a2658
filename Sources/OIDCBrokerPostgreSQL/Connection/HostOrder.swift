// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// In which order the hosts of a connection string are tried: a state machine without sockets.
    ///
    /// The first one is that which worked last. One that fails is followed by the next, also where the time of a try ended
    /// before that one had its turn. So every host has its turn within some tries, however many before it are cut off.
    struct HostOrder: Sendable, Hashable {
        /// The number of hosts.
        private let count: Int
        private var host = 0
        /// Which address of that host is the first; `nil` if it does not matter.
        private var address: HostList?

        /// - Parameter count: The number of hosts.
        init(of count: Int) {
            self.count = count
        }

        /// The numbers of the hosts in the order in which they are tried.
        var hosts: [Int] { (0..<count).map { ($0 + host) % count } }

        /// Returns the addresses of a host in the order in which they are tried.
        func addresses(_ found: [HostList], of number: Int) -> [HostList] {
            guard number == host, let address, let first = found.firstIndex(of: address) else { return found }
            return Array(found[first...] + found[..<first])
        }

        /// An address is of use: it is the first one now.
        mutating func worked(_ address: HostList, of number: Int) {
            (host, self.address) = (number, address)
        }

        /// A host, or an address of it, is of no use.
        /// - Parameter next: The address of the same host that follows; `nil` if that was the last one.
        mutating func failed(_ number: Int, next: HostList?) {
            (host, address) = next == nil ? ((number + 1) % max(count, 1), nil) : (number, next)
        }
    }

    /// Why the hosts of a connection string are of no use, one after another.
    struct HostFailures: Sendable {
        private var errors: [PostgreSQLStoreError] = []

        /// Notes why a host is of no use.
        /// - Throws: The error, if no other host may be asked because of it. Where a server refuses a user, another one is
        ///   not told the password, too.
        mutating func note(_ error: PostgreSQLStoreError) throws(PostgreSQLStoreError) {
            guard error == .unreachable || error == .notPrimary else { throw error }
            errors.append(error)
        }

        /// The error of all hosts together. As long as one was not reached, it may be the primary, which comes back.
        /// - Parameter isComplete: Whether each host was tried.
        func error(isComplete: Bool) -> PostgreSQLStoreError {
            guard let standby = errors.last(where: { $0 == .notPrimary }) else {
                return errors.last ?? PostgreSQLStoreError.unreachable.with("it did not answer in time")
            }
            guard isComplete, errors.allSatisfy({ $0 == .notPrimary }) else {
                return PostgreSQLStoreError.unreachable.with("one host did not answer, and another is not a primary")
            }
            return standby
        }
    }
#endif
