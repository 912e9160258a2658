// SPDX-License-Identifier: Apache-2.0

/// What a sentinel says of its primary.
enum SentinelAnswers {
    /// Reads the answer to `SENTINEL get-master-addr-by-name`; `nil` if the sentinel does not know the name.
    static func primary(_ answer: RESPValue) throws(ValkeyStoreError) -> ValkeyAddress? {
        switch answer {
        case .null: return nil
        case .array(let parts):
            guard parts.count == 2, case .bulk(let host) = parts[0], case .bulk(let port) = parts[1],
                let address = ValkeyAddress(host: host, port: port)
            else { throw ValkeyStoreError.unexpectedAnswer.with("a sentinel named no address") }
            return address
        default: throw ValkeyStoreError(unexpected: answer)
        }
    }
}

extension ValkeyAddress {
    /// Reads a host and a port that a sentinel named; `nil` if they are not those of an address.
    init?(host: [UInt8], port: [UInt8]) {
        // What begins with a slash would be the path of a socket.
        guard host.count <= 253, RESPNumber.integer(port) != nil, host.first != UInt8(ascii: "/"),
            host.first != UInt8(ascii: "[")
        else {
            return nil
        }
        let (name, number) = (String(decoding: host, as: UTF8.self), String(decoding: port, as: UTF8.self))
        self.init(host.contains(UInt8(ascii: ":")) ? "[\(name)]:\(number)" : "\(name):\(number)")
    }
}
