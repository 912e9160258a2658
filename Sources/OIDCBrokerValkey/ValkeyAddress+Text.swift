// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore

extension ValkeyAddress {
    /// The maximum length of the path of a Unix domain socket, in bytes.
    private static let longestPath = 107
    /// The maximum length of the name of a host, in bytes (RFC 1035 section 2.3.4).
    private static let longestHost = 253

    /// Reads `host:port`, `[address]:port` or the absolute path of a Unix domain socket; `nil` if it is another one.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        if bytes.first == UInt8(ascii: "/") {
            guard bytes.count <= Self.longestPath, !bytes.contains(0) else { return nil }
            self = .socket(path: text)
            return
        }
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")),
            let port = Self.port(bytes[(colon + 1)...])
        else { return nil }
        var host = bytes[..<colon]
        if host.first == UInt8(ascii: "[") {
            guard host.last == UInt8(ascii: "]"), host.count > 2 else { return nil }
            host = host.dropFirst().dropLast()
            let address = String(decoding: host, as: UTF8.self)
            guard case .v6? = try? SocketAddress(ipAddress: address, port: port) else { return nil }
            self = .host(address, port: port)
            return
        }
        guard (1...Self.longestHost).contains(host.count), host.allSatisfy(Self.isOfHost) else { return nil }
        self = .host(String(decoding: host, as: UTF8.self), port: port)
    }

    private static func port(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.count <= 5, let port = RESPNumber.integer(digits), (1...65_535).contains(port) else { return nil }
        return Int(port)
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Whether it may be an address of this machine or a private network. Of a name that is only known once it is
    /// resolved; ``SocketAddress/isOfPrivateNetwork`` decides about the connection.
    package var mayBePrivate: Bool {
        switch kind {
        case .socket: true
        case .host(let host, let port):
            (try? SocketAddress(ipAddress: host, port: port)).map { $0.isOfPrivateNetwork } ?? true
        }
    }
}

extension SocketAddress {
    /// Whether it is a socket of this machine, a loopback address, or one of a private network.
    var isOfPrivateNetwork: Bool {
        if case .unixDomainSocket = self { return true }
        return ipAddress.flatMap { IPAddress($0) }?.isOfPrivateNetwork ?? false
    }
}
