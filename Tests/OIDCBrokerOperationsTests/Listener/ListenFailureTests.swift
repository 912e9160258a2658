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

    @Test func `names the address and the reason in words`() throws {
        #expect(ListenFailure.address(host: "127.0.0.1", port: 8443) == "127.0.0.1:8443")
        #expect(ListenFailure.address(host: "::1", port: 443) == "[::1]:443")
        #expect(Self.reason(EADDRINUSE) == "port 8443 is in use by another process")
        #expect(Self.reason(EACCES) == "no permission")
        #expect(Self.reason(EACCES, port: 443).hasPrefix("no permission: ports below 1024 need root"))
        #expect(Self.reason(EAFNOSUPPORT, host: "::1") == "this machine has no IPv6")
        #expect(Self.reason(EADDRNOTAVAIL) == "this machine does not have the address")
        let unknown = try #require(throws: (any Error).self) {
            try SocketAddress.makeAddressResolvingHost("nowhere.invalid", port: 1)
        }
        #expect(
            ListenFailure.reason(unknown, host: "nowhere.invalid", port: 1)
                == "'nowhere.invalid' is neither an address nor a known host name")
    }
}
