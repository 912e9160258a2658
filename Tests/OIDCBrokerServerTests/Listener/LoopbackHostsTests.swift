// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerServer

/// The names by which the loopback listener is known.
struct LoopbackHostsTests {
    @Test(
        arguments: [
            "localhost", "localhost:9099", "LocalHost", "127.0.0.1", "127.0.0.1:80", "127.255.255.255", "[::1]",
            "[::1]:1",
            "10.0.2.2", "10.0.2.2:65535",
        ])
    func `are those of this machine, and that of the Android emulator for it`(authority: String) {
        #expect(LoopbackHosts.contain(authority))
    }

    @Test(
        arguments: [
            nil, "", ":80", "localhost:", "localhost:0", "localhost:65536", "localhost:+1", "localhost.", "a.localhost",
            "localhost.example", "127.0.0.1.example", "127.0.0", "127.0.0.256", "0x7f.0.0.1", "2130706433", "0.0.0.0",
            "[::]", "[::ffff:127.0.0.1]", "::1", "10.0.2.3", "10.0.2.2.example", "10.0.2.2.", "192.168.1.1",
            "a@localhost",
            "localhost/a", "localhost?a", "localhost#a", "localhost\\a", "localhost a", "localhost,a", "evil.example",
            "l\u{f6}calhost", "localhost\u{301}",
        ] as [String?])
    func `are no others`(authority: String?) {
        #expect(!LoopbackHosts.contain(authority))
    }
}
