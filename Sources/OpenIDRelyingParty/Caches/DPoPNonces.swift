// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The latest nonce of each origin of a provider (RFC 9449 section 8). Each login uses it, so that most requests are sent once.
final class DPoPNonces: Sendable {
    /// The maximum number of origins. The endpoints of a provider and their aliases are at fewer.
    static let mostOrigins = 8
    /// The maximum length of a nonce, in bytes.
    static let longest = 512

    private let nonces = Mutex<[String: String]>([:])

    /// The nonce for the next request to an origin; `nil` if it provided none.
    func nonce(of origin: String) -> String? { nonces.withLock { $0[origin] } }

    /// Keeps the nonce of a response. One that is too long or has other characters than a nonce may (section 8.1) is as
    /// none.
    /// - Returns: The nonce; `nil` if there is none.
    @discardableResult
    func keep(_ received: String?, of origin: String) -> String? {
        guard let received, Self.isNonce(received) else { return nil }
        nonces.withLock { nonces in
            // Metadata that name ever more origins do not fill the memory.
            if nonces[origin] == nil, nonces.count >= Self.mostOrigins { nonces = [:] }
            nonces[origin] = received
        }
        return received
    }

    private static func isNonce(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}
