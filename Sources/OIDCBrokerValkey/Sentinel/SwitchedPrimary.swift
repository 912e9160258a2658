// SPDX-License-Identifier: Apache-2.0

/// A message of a sentinel that a primary has another address.
struct SwitchedPrimary: Sendable, Hashable {
    /// The channel of these messages.
    static let channel = "+switch-master"

    /// The name of the primary.
    let name: String
    /// Its new address.
    let address: ValkeyAddress

    /// Reads the name, the old host, the old port, the new host and the new port, with a space between them; `nil` if
    /// the message is another one.
    init?(message: [UInt8]) {
        let parts = message.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 5, (1...256).contains(parts[0].count),
            let address = ValkeyAddress(host: Array(parts[3]), port: Array(parts[4]))
        else { return nil }
        name = String(decoding: parts[0], as: UTF8.self)
        self.address = address
    }
}
