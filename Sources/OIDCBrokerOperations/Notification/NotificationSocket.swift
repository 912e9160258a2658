// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The datagram socket of a service manager, named by `NOTIFY_SOCKET` (sd_notify(3)): a path, or `@` and a name in the
/// abstract namespace of Linux.
struct NotificationSocket: Sendable, Equatable {
    /// The bytes of the address: a path with its NUL, or a NUL and a name without one.
    let address: [UInt8]

    /// Reads the value of the variable; `nil` if it is neither, or too long for an address.
    init?(_ name: String) {
        let bytes = Array(name.utf8)
        guard bytes.count > 1, !bytes.contains(0) else { return nil }
        let address: [UInt8]
        switch bytes[0] {
        case UInt8(ascii: "/"): address = bytes + [0]
        case UInt8(ascii: "@"): address = [0] + bytes.dropFirst()
        default: return nil
        }
        guard address.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        self.address = address
    }

    /// Sends one datagram, without waiting for room for it.
    /// - Returns: The number of the error; `nil` if it was sent.
    func send(_ message: [UInt8]) -> Int32? {
        let descriptor = Self.makeSocket()
        guard descriptor >= 0 else { return errno }
        defer { _ = close(descriptor) }
        var socketAddress = sockaddr_un()
        socketAddress.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &socketAddress.sun_path) { $0.copyBytes(from: address) }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        // The length matters: in the abstract namespace every byte is a part of the name.
        let length = socklen_t(start + address.count)
        let sent = message.withUnsafeBytes { message in
            withUnsafePointer(to: &socketAddress) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    sendto(descriptor, message.baseAddress, message.count, Self.flags, address, length)
                }
            }
        }
        return sent == message.count ? nil : errno
    }

    #if canImport(Darwin)
        private static let flags = Int32(MSG_DONTWAIT)

        private static func makeSocket() -> Int32 { socket(AF_UNIX, SOCK_DGRAM, 0) }
    #else
        private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

        private static func makeSocket() -> Int32 {
            #if canImport(Glibc)
                socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            #else
                socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
            #endif
        }
    #endif
}
