// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The paths of the broker's endpoints. A class: every request takes it along.
final class BrokerPaths: Sendable {
    /// No path of a broker is longer, bytes: what is, is not compared.
    static let longest = 1024

    let prefix: String
    let authorize: String
    let choose: String
    let proceed: String
    let handler: String
    let token: String
    let discovery: String
    let keySet: String
    let credential: String
    let revoke: String
    /// Every path a provider returns to.
    let callbacks: Set<String>
    private let claimedPrefix: [UInt8]
    private let claimedPaths: [[UInt8]]

    /// - Parameter others: paths beyond the prefix that are the broker's too.
    init(prefix: String, callbacks: Set<String>, others: [String] = []) {
        self.prefix = prefix
        authorize = prefix + "/authorize"
        choose = prefix + "/choose"
        proceed = prefix + "/continue"
        handler = prefix + "/handler"
        token = prefix + "/token"
        discovery = prefix + "/.well-known/openid-configuration"
        keySet = prefix + "/jwks"
        credential = prefix + "/credential"
        revoke = prefix + "/revoke"
        self.callbacks = callbacks.union([handler])
        claimedPrefix = Array((prefix + "/").utf8)
        claimedPaths = callbacks.union(others).filter { !$0.hasPrefix(prefix + "/") }.map { Array($0.utf8) }
    }

    /// Whether a raw request target is the broker's: the bytes up to `?`, undecoded.
    func handles(path: String) -> Bool {
        // On one buffer: this is asked for every request of an embedding server.
        path.utf8.withContiguousBytes { handles(bytes: $0) }
    }

    private func handles(bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if bytes.count >= claimedPrefix.count, bytes[..<claimedPrefix.count].elementsEqual(claimedPrefix) {
            return true
        }
        guard !claimedPaths.isEmpty else { return false }
        let plain = bytes.prefix { $0 != UInt8(ascii: "?") }
        return claimedPaths.contains { plain.elementsEqual($0) }
    }
}
