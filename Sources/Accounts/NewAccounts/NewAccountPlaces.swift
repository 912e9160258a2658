// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The places of sign-ins that wait for a decision about a new account.
package final class NewAccountPlaces: Sendable {
    /// The maximum number.
    static let maximum = 64
    /// The maximum number for each network of a client.
    static let share = maximum / 10

    private struct Taken {
        var total = 0
        var networks: [AccountQueues.Holder: Int] = [:]
    }

    private let taken = Mutex(Taken())

    /// Creates places of which none is taken.
    package init() {}

    /// Takes a place.
    /// - Parameter networks: The networks of the client; none if they are not known.
    /// - Returns: A function that gives the place back, to be called once; `nil` if there is none.
    func take(for networks: [AccountQueues.Holder]) -> (@Sendable () -> Void)? {
        let isTaken = taken.withLock { taken in
            guard taken.total < Self.maximum, networks.allSatisfy({ taken.networks[$0, default: 0] < Self.share })
            else { return false }
            taken.total += 1
            for network in networks { taken.networks[network, default: 0] += 1 }
            return true
        }
        guard isTaken else { return nil }
        return { [self] in
            taken.withLock { taken in
                taken.total -= 1
                for network in networks {
                    taken.networks[network] = taken.networks[network].flatMap { $0 > 1 ? $0 - 1 : nil }
                }
            }
        }
    }
}
