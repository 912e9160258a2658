// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import OpenIDRelyingParty
import Synchronization
import Testing
import TestingSupport

@testable import OpenIDRelyingPartyNIO

@Suite(.onSockets)
struct HostLookupTests {
    /// Name servers that are silent for some names until they are told otherwise.
    private final class NameServers: Sendable {
        private let isSilent = ConditionLock(value: true)
        private let asked = Mutex<[String]>([])

        var names: [String] { asked.withLock { $0 } }

        func addresses(of host: String) throws(HostLookupError) -> [SocketAddress] {
            asked.withLock { $0.append(host) }
            guard host != "missing.test" else { throw .notFound }
            guard host.hasPrefix("silent") else { return try SystemHostLookup.addresses(of: "127.0.0.1") }
            isSilent.lock(whenValue: false)
            isSilent.unlock(withValue: false)
            throw .unavailable
        }

        func answer() {
            isSilent.lock()
            isSilent.unlock(withValue: false)
        }
    }

    private final class Owner: Sendable {}

    private static func withTransport(
        _ servers: NameServers, _ body: (NIOTransport, any EventLoop) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let lookups = HostLookups(elapsed: TestClock().elapsed) { host throws(HostLookupError) in
            try servers.addresses(of: host)
        }
        let transport = NIOTransport(eventLoopGroup: group, lookups: lookups)
        try await attempt {
            try await body(transport, group.any())
        } finally: {
            servers.answer()
            try await transport.shutdown()
        }
    }

    @Test func `a provider whose name servers are silent keeps no other provider of the loop waiting`() async throws {
        let servers = NameServers()
        let (hostile, honest) = (Owner(), Owner())
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x")]) }) { server in
            try await Self.withTransport(servers) { transport, loop in
                let waiting = try (0..<100).map { number in
                    var request = try TestRequest.make("http://silent\(number % 5).test/")
                    request.owner = ObjectIdentifier(hostile)
                    return transport.execute(request, on: loop)
                }
                var request = try TestRequest.make("http://honest.test:\(server.port)/")
                request.owner = ObjectIdentifier(honest)
                let response = try await transport.execute(request, on: loop).get()
                #expect(String(buffer: response.body) == "x")
                servers.answer()
                for future in waiting {
                    let error = await #expect(throws: ProviderTransportError.self) { try await future.get() }
                    #expect(error?.isConnectionFailure == true)
                }
                #expect(Set(servers.names).count == 6, "those who had no thread waited for one")
            }
        }
    }

    @Test func `200 hosts, 100 of them stuck: the others connect, and 200 providers of one host are one lookup`()
        async throws
    {
        let servers = NameServers()
        let owners = (0..<400).map { _ in Owner() }
        try await ScriptedServer.run({ _ in .sendAndClose(TestRequest.response("x")) }) { server in
            try await Self.withTransport(servers) { transport, loop in
                let requests = try (0..<400).map { number in
                    let host = number >= 200 ? "shared" : number.isMultiple(of: 2) ? "silent\(number)" : "name\(number)"
                    var request = try TestRequest.make("http://\(host).test:\(server.port)/")
                    request.owner = ObjectIdentifier(owners[number])
                    return transport.execute(request, on: loop)
                }
                for (number, request) in requests.enumerated() where number >= 200 || !number.isMultiple(of: 2) {
                    #expect(try await request.get().status == 200)
                }
                #expect(servers.names.count { $0 == "shared.test" } == 1)
                servers.answer()
                for request in requests { _ = try? await request.get() }
            }
        }
    }

    @Test func `who waits for a place fails at its own deadline, and the next one is served`() async throws {
        let servers = NameServers()
        let owner = Owner()
        try await ScriptedServer.run({ _ in .sendAndClose(TestRequest.response("x")) }) { server in
            try await Self.withTransport(servers) { transport, loop in
                func request(_ host: String, _ timeout: TimeAmount = .seconds(30)) throws -> ProviderRequest {
                    var request = try TestRequest.make("http://\(host).test:\(server.port)/", timeout: timeout)
                    request.owner = ObjectIdentifier(owner)
                    return request
                }
                let silent = try (1...HostLookups.StateMachine<Int>.maximumLookupsOfOwner).map {
                    transport.execute(try request("silent\($0)"), on: loop)
                }
                let late = transport.execute(try request("late", .milliseconds(50)), on: loop)
                let next = transport.execute(try request("next"), on: loop)
                await #expect(throws: ProviderTransportError.timedOut) { try await late.get() }
                #expect(!servers.names.contains("late.test"))
                servers.answer()
                #expect(try await next.get().status == 200)
                for request in silent { _ = try? await request.get() }
            }
        }
    }

    @Test func `names are looked up once, addresses never`() async throws {
        let servers = NameServers()
        try await ScriptedServer.run({ _ in .sendAndClose(TestRequest.response("x")) }) { server in
            try await Self.withTransport(servers) { transport, loop in
                for host in ["name.test", "name.test", "127.0.0.1"] {
                    let request = try TestRequest.make("http://\(host):\(server.port)/")
                    #expect(try await transport.execute(request, on: loop).get().status == 200)
                }
                #expect(servers.names == ["name.test"])
                let request = try TestRequest.make("http://missing.test:\(server.port)/")
                let error = await #expect(throws: ProviderTransportError.unreachable) {
                    try await transport.execute(request, on: loop).get()
                }
                #expect(error?.description == "no connection: the host's name was not found")
            }
        }
    }

    @Test func `the system knows localhost, and no name below invalid`() throws {
        #expect(try SystemHostLookup.addresses(of: "localhost").contains { $0.ipAddress == "127.0.0.1" })
        // RFC 6761 section 6.4.
        #expect(throws: HostLookupError.self) { try SystemHostLookup.addresses(of: "nobody.invalid") }
    }
}
