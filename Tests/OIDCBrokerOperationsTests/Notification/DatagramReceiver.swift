// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A real datagram socket in the place of a service manager's, at a path or, on Linux, in the abstract namespace.
final class DatagramReceiver: Sendable {
    /// The value of `NOTIFY_SOCKET`.
    let name: String
    private let descriptor: Int32

    /// Why there is no socket.
    struct Failure: Error {
        let error: Int32
    }

    /// Binds a socket of a name in a directory for temporary files, or of an abstract one.
    init(path: String, isAbstract: Bool) throws {
        name = isAbstract ? "@" + path : path
        #if canImport(Glibc)
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #else
            descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        let bytes: [UInt8] = isAbstract ? [0] + Array(path.utf8) : Array(path.utf8) + [0]
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(start + bytes.count))
            }
        }
        guard result == 0 else { throw Failure(error: errno) }
    }

    deinit {
        close(descriptor)
        if name.hasPrefix("/") { unlink(name) }
    }

    /// The next datagram, which has been sent already; `nil` if there is none.
    func next() -> String? { receive(flags: Int32(MSG_DONTWAIT)) }

    /// Waits for the next datagram, on a thread that may block.
    func wait() -> String? { receive(flags: 0) }

    private func receive(flags: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, flags) }
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}
