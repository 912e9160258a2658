// SPDX-License-Identifier: Apache-2.0

extension KeyFile {
    /// A line about each key for an operator: position, what it is for, algorithm, size and identifier. Nothing in them
    /// is secret.
    package var lines: [String] {
        keys.indices.map { index in
            let key = keys[index]
            return "\(index + 1): \(role(at: index)), \(key.algorithm), \(key.bitCount) bits, \(idName) \(key.id)"
        }
    }

    /// What the key at an index is for.
    package func role(at index: Int) -> String {
        guard keys.indices.contains(index) else { return "nothing" }
        switch kind {
        case .sealing: return index == 0 ? "seals and opens" : "opens only"
        case .signing:
            // The first key of each algorithm signs.
            let isFirst = !keys[..<index].contains { $0.algorithm == keys[index].algorithm }
            return isFirst ? "signs" : "verifies only"
        case .resource, .accounts, .sessionCookies: return index == 0 ? "signs" : "verifies only"
        case .client, .webhook: return "signs"
        case .decryption: return "decrypts"
        }
    }

    /// The name of the identifier: that of the JWK member (RFC 7517 section 4.5), or that in sealed values.
    private var idName: String { kind == .sealing ? "key id" : "kid" }
}
