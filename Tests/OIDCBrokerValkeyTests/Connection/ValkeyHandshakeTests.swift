// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerValkey

/// Which servers are used.
struct ValkeyHandshakeTests {
    /// The answers of a server.
    private struct Answers {
        var name = RESPValue.simple("OK")
        var server = "# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n"
        var replication = "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n"
        var memory = "# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n"
        var time = RESPValue.array([.bulk(Array("1800000000".utf8)), .bulk(Array("5".utf8))])

        var values: [RESPValue] {
            [name] + [server, replication, memory].map { RESPValue.bulk(Array($0.utf8)) } + [time]
        }
    }

    /// What is decided, and that it is decided once.
    private func decision(
        _ values: [RESPValue], password: String? = nil, database: Int = 0
    ) -> ValkeyHandshake.Action {
        var handshake = ValkeyHandshake(username: nil, password: password, database: database)
        let decisions = values.map { handshake.answered($0) }.filter { $0 != .wait }
        #expect(decisions.count <= 1)
        return decisions.first ?? .wait
    }

    private func decision(_ change: (inout Answers) -> Void) -> ValkeyHandshake.Action {
        var answers = Answers()
        change(&answers)
        return decision(answers.values)
    }

    @Test func `what is asked`() {
        let always: [RESPCommand] = [
            RESPCommand("CLIENT", "SETNAME", "oidc-broker"), RESPCommand("INFO", "server"),
            RESPCommand("INFO", "replication"), RESPCommand("INFO", "memory"), RESPCommand("TIME"),
        ]
        #expect(ValkeyHandshake(username: nil, password: nil, database: 0).commands == always)
        #expect(ValkeyHandshake(username: "broker", password: nil, database: 0).commands == always)
        #expect(
            ValkeyHandshake(username: nil, password: "secret", database: 0).commands
                == [RESPCommand("AUTH", "secret")] + always)
        #expect(
            ValkeyHandshake(username: "broker", password: "secret", database: 3).commands
                == [RESPCommand("AUTH", "broker", "secret"), RESPCommand("SELECT", "3")] + always)
    }

    @Test func `a server that will do is accepted with its time`() {
        #expect(decision(Answers().values) == .accept(seconds: 1_800_000_000))
        let all = [RESPValue.simple("OK"), .simple("OK")] + Answers().values
        #expect(decision(all, password: "secret", database: 3) == .accept(seconds: 1_800_000_000))
        #expect(decision(Array(Answers().values.dropLast())) == .wait)
    }

    @Test func `a node of a cluster is refused, since the keys of one script are at different ones`() {
        let redis = decision { $0.server = "redis_version:7.0.15\r\nredis_mode:cluster\r\n" }
        let valkey = decision { $0.server = "valkey_version:8.0.1\r\nserver_mode:cluster\r\n" }
        #expect([redis, valkey] == [.refuse(.isCluster), .refuse(.isCluster)])
    }

    @Test func `versions before 7 are refused`() {
        for version in ["6.2.14", "6", "", "seven", "-7.0", "07"] {
            #expect(decision { $0.server = "redis_version:\(version)\r\n" } == .refuse(.wrongVersion), "\(version)")
        }
        #expect(decision { $0.server = "# Server\r\n" } == .refuse(.wrongVersion))
        for version in ["7.0.0", "7", "8.1", "10.0.1"] {
            let action = decision { $0.server = "redis_version:\(version)\r\n" }
            #expect(action == .accept(seconds: 1_800_000_000), "\(version)")
        }
        let valkey = decision { $0.server = "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n" }
        #expect(valkey == .accept(seconds: 1_800_000_000))
    }

    @Test func `replicas are refused`() {
        #expect(decision { $0.replication = "role:slave\r\n" } == .refuse(.notPrimary))
        #expect(decision { $0.replication = "" } == .refuse(.notPrimary))
    }

    @Test func `servers that evict are refused`() {
        for policy in ["allkeys-lru", "volatile-ttl", "volatile-random", ""] {
            #expect(decision { $0.memory = "maxmemory_policy:\(policy)\r\n" } == .refuse(.evicts), "\(policy)")
        }
        #expect(decision { $0.memory = "maxmemory:0\r\n" } == .refuse(.evicts))
    }

    @Test func `wrong passwords are refused`() {
        let texts = [
            "WRONGPASS invalid username-password pair or user is disabled.", "NOAUTH Authentication required.",
            "NOPERM this user has no permissions to run the 'info' command",
            "ERR AUTH <password> called without any password configured for the default user.",
        ]
        for text in texts {
            #expect(decision([.error(text)], password: "secret") == .refuse(.wrongPassword), "\(text)")
        }
        #expect(decision { $0.name = .error("NOAUTH Authentication required.") } == .refuse(.wrongPassword))
        #expect(
            decision([.simple("OK"), .error("NOPERM no")], password: "secret") == .refuse(.wrongPassword))
    }

    @Test func `a server that loads is refused`() {
        #expect(decision { $0.name = .error("LOADING Redis is loading") } == .refuse(.loading))
    }

    @Test func `other answers are refused`() {
        #expect(decision { $0.name = .error("ERR max number of clients reached") } == .refuse(.unexpectedAnswer))
        #expect(decision { $0.name = .null } == .refuse(.unexpectedAnswer))
        #expect(decision { $0.time = .null } == .refuse(.unexpectedAnswer))
        #expect(decision { $0.time = .array([]) } == .refuse(.unexpectedAnswer))
        #expect(decision { $0.time = .array([.bulk(Array("now".utf8))]) } == .refuse(.unexpectedAnswer))
        #expect(decision([.simple("OK"), .null]) == .refuse(.unexpectedAnswer))
    }

    @Test func `no detail repeats what the server says of a command`() {
        let text = "ERR unknown command 'AUTH', with args beginning with: 'very-secret'"
        guard case .refuse(let error) = decision([.error(text)], password: "very-secret") else {
            Issue.record("refused")
            return
        }
        #expect(!error.description.contains("very-secret"))
    }

    @Test func `a connection that ends meanwhile was of no use`() {
        var handshake = ValkeyHandshake(username: nil, password: nil, database: 0)
        #expect(handshake.failed(.closed) == .refuse(.unreachable))
        #expect(handshake.failed(.closed) == .wait)
        #expect(handshake.answered(.simple("OK")) == .wait)
        handshake = ValkeyHandshake(username: nil, password: nil, database: 0)
        #expect(handshake.failed(.timeout) == .refuse(.timeout))
    }
}
