// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerOperations
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The text of an address that could not be bound.
struct ListenFailureTests {
    private static func reason(_ number: CInt, host: String = "127.0.0.1", port: Int = 8443) -> String {
        ListenFailure.reason(IOError(errnoCode: number, reason: "bind"), host: host, port: port)
    }

    @Test func `names the address and the reason in words`() {
        #expect(ListenFailure.address(host: "127.0.0.1", port: 8443) == "127.0.0.1:8443")
        #expect(ListenFailure.address(host: "::1", port: 443) == "[::1]:443")
        #expect(Self.reason(EADDRINUSE) == "port 8443 is in use by another process")
        #expect(Self.reason(EACCES) == "no permission")
        #expect(Self.reason(EACCES, port: 443).hasPrefix("no permission: ports below 1024 need root"))
        #expect(Self.reason(EAFNOSUPPORT, host: "::1") == "this machine has no IPv6")
        #expect(Self.reason(EADDRNOTAVAIL) == "this machine does not have the address")
        #expect(
            ListenFailure.reason(SocketAddressError.unknown(host: "nowhere", port: 1), host: "nowhere", port: 1)
                == "'nowhere' is neither an address nor a known host name")
    }
}
