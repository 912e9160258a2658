// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import Synchronization

/// Memory for bodies, bounded for all connections together and for each client.
final class BodyPool: Sendable {
    private struct State {
        var bytes = 0
        /// The same of each network that uses any, so that this is not longer than three times the number of bodies.
        var byNetwork: [IPNetwork: Int] = [:]
    }

    private let maximumBytes: Int
    private let maximumBytesOfAddress: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximumBytes: The maximum number of bytes.
    ///   - bytesOfAddress: The maximum number of bytes for the bodies of one client, if it is known: of an IPv4 address
    ///     or an IPv6 /64; four times as many for a /56, and eight times for a /48.
    init(maximumBytes: Int, bytesOfAddress: Int) {
        self.maximumBytes = maximumBytes
        maximumBytesOfAddress = bytesOfAddress
    }

    /// The number of bytes in use.
    var bytesInUse: Int { state.withLock { $0.bytes } }

    /// The number of networks that use bytes: one for an IPv4 address, three for an IPv6 one.
    var networkCount: Int { state.withLock { $0.byNetwork.count } }

    /// Takes bytes, all of them or none.
    /// - Parameters:
    ///   - bytes: The number of bytes.
    ///   - address: The address of the client; `nil` for one without a limit of its own.
    /// - Returns: The limit that they would exceed; `nil` if they were taken.
    func take(_ bytes: Int, for address: IPAddress?) -> BodyLimit? {
        guard bytes > 0 else { return nil }
        let networks = address?.countedNetworks ?? []
        return state.withLock { state in
            // A client over its own limit is told apart, also while there is no room for anybody.
            for (network, scale) in networks {
                let taken = state.byNetwork[network] ?? 0
                guard bytes <= maximumBytesOfAddress * scale - taken else { return .address }
            }
            guard bytes <= maximumBytes - state.bytes else { return .total }
            for (network, _) in networks { state.byNetwork[network, default: 0] += bytes }
            state.bytes += bytes
            return nil
        }
    }

    /// Gives bytes back that were taken for an address.
    func giveBack(_ bytes: Int, for address: IPAddress?) {
        guard bytes > 0 else { return }
        let networks = address?.countedNetworks ?? []
        state.withLock { state in
            state.bytes -= bytes
            for (network, _) in networks {
                guard let taken = state.byNetwork[network] else { continue }
                state.byNetwork[network] = taken > bytes ? taken - bytes : nil
            }
        }
    }
}
