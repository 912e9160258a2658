// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import Synchronization

/// The memory that unfinished bodies may take beyond their first 8 KB, of all connections of the process together and
/// of each client address.
///
/// The first 8 KB of a body, more than the form of a sign-in has, count for nothing: clients that send long bodies and
/// never end them take nothing from those who sign in.
final class LargeBodies: Sendable {
    /// The bytes that each body has for itself.
    static let ownBytes = 8192
    /// The bytes that the bodies of one client address may take, if it is known: eighteen of the longest bodies.
    static let bytesOfAddress = 1 << 20
    /// The instance of the process.
    static let shared = LargeBodies(maximumBytes: 16 << 20)

    private struct State {
        var bytes = 0
        var byAddress: [ClientAddress: Int] = [:]
    }

    private let maximumBytes: Int
    private let maximumBytesOfAddress: Int
    private let state = Mutex(State())

    init(maximumBytes: Int, bytesOfAddress: Int = LargeBodies.bytesOfAddress) {
        self.maximumBytes = maximumBytes
        maximumBytesOfAddress = bytesOfAddress
    }

    /// The bytes that unfinished bodies take beyond their first.
    var bytesInUse: Int { state.withLock { $0.bytes } }

    /// How many client addresses take some of them.
    var addressCount: Int { state.withLock { $0.byAddress.count } }

    private func take(_ more: Int, for address: ClientAddress?) -> Bool {
        state.withLock { state in
            guard state.bytes + more <= maximumBytes else { return false }
            if let address {
                let bytes = state.byAddress[address, default: 0] + more
                guard bytes <= maximumBytesOfAddress else { return false }
                state.byAddress[address] = bytes
            }
            state.bytes += more
            return true
        }
    }

    private func giveBack(_ bytes: Int, for address: ClientAddress?) {
        guard bytes > 0 else { return }
        state.withLock { state in
            state.bytes -= bytes
            guard let address, let all = state.byAddress[address] else { return }
            state.byAddress[address] = all > bytes ? all - bytes : nil
        }
    }

    /// One body's part, which is given back when it is released, whatever the end of the request.
    final class Share {
        private let bodies: LargeBodies
        private let address: ClientAddress?
        private var bytes = 0

        init(_ bodies: LargeBodies, address: ClientAddress? = nil) {
            self.bodies = bodies
            self.address = address
        }

        deinit { bodies.giveBack(bytes, for: address) }

        /// Takes what a body of a length needs.
        /// - Returns: Whether there is room for it.
        func grow(toBodyOf length: Int) -> Bool {
            let more = max(0, length - LargeBodies.ownBytes) - bytes
            guard more > 0 else { return true }
            guard bodies.take(more, for: address) else { return false }
            bytes += more
            return true
        }
    }
}

@available(*, unavailable)
extension LargeBodies.Share: Sendable {}
