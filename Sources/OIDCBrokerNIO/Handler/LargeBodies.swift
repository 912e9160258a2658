// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import Synchronization

/// The memory that incomplete bodies may use beyond their first 8 KB, for all connections of the process together and
/// for each client address.
///
/// The first 8 KB of a body, more than the form of a sign-in needs, are not counted, so clients that send long
/// incomplete bodies do not prevent sign-ins of others.
final class LargeBodies: Sendable {
    /// The number of bytes of each body that are not counted.
    static let ownBytes = 8192
    /// The maximum number of counted bytes for the bodies of one client address, if it is known: eighteen bodies of
    /// maximum length.
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

    /// The number of counted bytes in use.
    var bytesInUse: Int { state.withLock { $0.bytes } }

    /// The number of client addresses that use counted bytes.
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

    /// The share of one body, which is returned when it is released, however the request ends.
    final class Share {
        private let bodies: LargeBodies
        private let address: ClientAddress?
        private var bytes = 0

        init(_ bodies: LargeBodies, address: ClientAddress? = nil) {
            self.bodies = bodies
            self.address = address
        }

        deinit { bodies.giveBack(bytes, for: address) }

        /// Reserves the memory for a body of the given length.
        /// - Returns: Whether there is enough memory.
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
