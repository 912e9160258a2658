// SPDX-License-Identifier: Apache-2.0

import NIOPosix
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBrokerValkey

/// What `check-config --live` says of real servers.
@Suite(
    .onSockets, .enabled(if: RedisInstallation.isRequired, "needs redis-server and redis-sentinel"),
    .timeLimit(.minutes(10)))
struct ValkeyLiveChecksTests {
    private func checks(_ configuration: ValkeyConfiguration) async -> [LiveCheck] {
        await ValkeyLiveChecks(configuration, now: SystemUnixClock().now())
            .run(on: MultiThreadedEventLoopGroup.singleton.any())
    }

    private func verdicts(_ checks: [LiveCheck]) -> [LiveCheck.Subject: LiveCheck.Verdict] {
        Dictionary(checks.map { ($0.subject, $0.verdict) }) { first, second in first == .ok ? second : first }
    }

    @Test func `a server that will do, and one that will not`() async throws {
        try await RedisServer.run { server async throws in
            // On a busy machine an answer may take longer than it has.
            try await RedisProcess.eventually {
                await verdicts(checks(server.configuration())) == [
                    .store: .ok, .storePassword: .ok, .storeVersion: .ok, .storeRole: .ok, .storePolicy: .ok,
                    .storeClock: .ok,
                ]
            }
        }
        try await RedisServer.run(["--maxmemory-policy", "allkeys-lru", "--requirepass", "right"]) {
            server async throws in
            try await RedisProcess.eventually {
                await verdicts(checks(server.configuration(password: "right")))[.storePolicy] == .wrong
            }
            let refused = await checks(server.configuration(password: "hunter2"))
            #expect(verdicts(refused)[.storePassword] == .wrong)
            #expect(verdicts(refused)[.storePolicy] == nil)
            #expect(!"\(refused)".contains("hunter2"))
        }
    }

    @Test func `there is no server`() async throws {
        let ports = try await RedisProcess.freePorts(1)
        let port = try #require(ports.first)
        let checks = await checks(ValkeyConfiguration(address: .host("127.0.0.1", port: port)))
        #expect(checks.map(\.verdict) == [.unreachable])
        #expect(checks.map(\.subject) == [.store])
        #expect(checks.map(\.found) == ["127.0.0.1:\(port): unreachable: no connection: it was refused"])
    }

    @Test func `sentinels, their primary and its standby`() async throws {
        try await RedisGroup.run(sentinels: 3) { group async throws in
            let servers = ValkeyServers.sentinels(
                group.sentinels.map { $0.address }, primaryName: RedisGroup.primaryName)
            let configuration = ValkeyConfiguration(servers: servers, standbysToWaitFor: 1)
            try await RedisProcess.eventually {
                let found = await checks(configuration)
                return found.count { $0.subject == .storeSentinel && $0.verdict == .ok } == 3
                    && verdicts(found)[.storeStandbys] == .ok && verdicts(found)[.storeRole] == .ok
            }
            let other = ValkeyConfiguration(
                servers: .sentinels(group.sentinels.map { $0.address }, primaryName: "other"))
            try await RedisProcess.eventually {
                let found = await checks(other)
                return found.count == 3 && found.allSatisfy { $0.subject == .storeSentinel && $0.verdict == .wrong }
            }
        }
    }
}
