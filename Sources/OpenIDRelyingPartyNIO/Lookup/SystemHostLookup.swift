// SPDX-License-Identifier: Apache-2.0

package import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The host name lookup of the operating system.
package enum SystemHostLookup {
    /// Returns the addresses of a host without a port, in the order of RFC 6724. Blocks the thread.
    package static func addresses(of host: String) throws(HostLookupError) -> [SocketAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &first)
        guard code == 0 else { throw code == EAI_NONAME ? .notFound : .unavailable }
        defer { freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = first
        while let info = next {
            if let address = address(info.pointee) { addresses.append(address) }
            next = info.pointee.ai_next
        }
        return addresses
    }

    private static func address(_ info: addrinfo) -> SocketAddress? {
        guard let address = info.ai_addr else { return nil }
        switch info.ai_family {
        case AF_INET: return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
        default: return nil
        }
    }
}
