// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct ClientAddressesTests {
    /// The addresses of as many clients as a run may have.
    private static func all(_ address: (Int) -> String) -> [String] { (0..<250).map(address) }

    /// Returns the first groups of IPv6 addresses whose third and fourth are written out.
    private static func groups(_ addresses: [String]) -> [[Int]] {
        addresses.map { address in
            address.split(separator: ":").prefix(4).map { Int($0, radix: 16) ?? -1 }
        }
    }

    @Test func `over IPv4, those who sign in have other addresses than hostile clients`() {
        let hostile = Self.all(ClientAddresses.ipv4.hostile)
        #expect(hostile.first == "127.0.0.2")
        #expect(hostile.last == "127.0.0.251")
        let signIns = Self.all(ClientAddresses.ipv4.signIn)
        #expect(signIns.first == "127.0.1.1")
        #expect(signIns.last == "127.0.1.250")
    }

    @Test func `over IPv6, hostile clients have several /64s of several /56s of one /48`() {
        let addresses = Self.all(ClientAddresses.ipv6.hostile)
        #expect(Set(addresses).count == 250)
        #expect(addresses.prefix(2) == ["2001:db8:1:0::2", "2001:db8:1:100::2"])
        #expect(addresses[19] == "2001:db8:1:300::3")
        let groups = Self.groups(addresses)
        #expect(Set(groups.map { Array($0.prefix(3)) }) == [[0x2001, 0xDB8, 1]])
        let of64 = Set(groups.map { $0[3] })
        #expect(of64.count == 16)
        #expect(Set(of64.map { $0 >> 8 }).count == 4)
        // As many addresses as a run has unless told otherwise reach all of them.
        #expect(Set(groups.prefix(20).map { $0[3] }) == of64)
    }

    @Test func `over IPv6, those who sign in have a /56 each, of another /48`() {
        let addresses = Self.all(ClientAddresses.ipv6.signIn)
        #expect(addresses.prefix(2) == ["2001:db8:2:0::1", "2001:db8:2:100::1"])
        let groups = Self.groups(addresses)
        #expect(Set(groups.map { Array($0.prefix(3)) }) == [[0x2001, 0xDB8, 2]])
        #expect(Set(groups.map { $0[3] >> 8 }).count == 250)
        #expect(groups.allSatisfy { (0...0xFFFF).contains($0[3]) })
    }

    @Test func `over IPv4 four clients make accounts, over IPv6 all do, as one network`() {
        #expect(ClientAddresses.ipv4.accountClients(of: 20) == 4)
        #expect(ClientAddresses.ipv4.accountClients(of: 2) == 2)
        #expect(ClientAddresses.ipv4.accountNetworks(of: 20) == 4)
        #expect(ClientAddresses.ipv6.accountClients(of: 20) == 20)
        #expect(ClientAddresses.ipv6.accountNetworks(of: 20) == 1)
    }

    @Test func `the target is an address of this machine, in brackets where it is the host of a URL`() {
        #expect(ClientAddresses.ipv4.target == "127.0.0.1")
        #expect(HostileTarget(port: 4711).host == "127.0.0.1:4711")
        #expect(ClientAddresses.ipv6.target == "::1")
        #expect(HostileTarget(port: 4711, addresses: .ipv6).host == "[::1]:4711")
    }
}
