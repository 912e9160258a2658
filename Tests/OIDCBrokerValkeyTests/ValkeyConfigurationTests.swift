// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerValkey
import Testing

/// The configuration of the server.
struct ValkeyConfigurationTests {
    @Test func `the password is in no description`() {
        var configuration = ValkeyConfiguration(address: .host("redis.example"), password: "very-secret")
        #expect(configuration.password == "very-secret")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(describing: configuration), String(reflecting: configuration), dumped] {
            #expect(!text.contains("very-secret"))
        }
        #expect("\(configuration)" == "redis.example:6379, database 0")
        configuration.password = nil
        #expect(configuration.password == nil)
    }

    @Test func `neither is that of the sentinels`() {
        let configuration = ValkeyConfiguration(
            servers: .sentinels([.host("a", port: 1), .host("b", port: 2)], primaryName: "broker"),
            sentinelUsername: "me", sentinelPassword: "very-secret")
        #expect(configuration.sentinelPassword == "very-secret")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("very-secret"))
        }
        #expect("\(configuration)" == "broker of the sentinels a:1, b:2, database 0")
    }

    @Test func `an address is a host or a socket`() {
        #expect(ValkeyAddress.host("redis.example", port: 7000).description == "redis.example:7000")
        #expect(ValkeyAddress.socket(path: "/run/redis.sock").description == "/run/redis.sock")
        #expect(ValkeyAddress.host("a") != .socket(path: "a"))
    }

    @Test func `errors are equal by their code`() {
        #expect(ValkeyStoreError.timeout == .timeout)
        #expect(ValkeyStoreError.timeout != .closed)
        #expect(ValkeyStoreError.unreachable.code == "unreachable")
        #expect(ValkeyStoreError.unreachable.description == "unreachable")
    }
}
