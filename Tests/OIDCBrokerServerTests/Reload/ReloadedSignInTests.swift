// SPDX-License-Identifier: Apache-2.0

import Testing
import TestingSupport

@testable import OIDCBrokerServer

/// Sign-ins on real sockets while the configuration changes in its file.
@Suite(.timeLimit(.minutes(10))) struct ReloadedSignInTests {
    @Test func `a sign-in that began before a reload completes after it`() async throws {
        try await ReloadedServer.run { server, running in
            let login = try await server.begin()
            var values = ReloadedServer.Values()
            values.sealingKeys.append(ReloadedServer.key(2))
            try await server.change(to: values, &running)
            try await server.finish(login)
            try await server.finish(try await server.begin())
        }
    }

    @Test func `a provider's secret changes, also for a sign-in that began before`() async throws {
        var wrong = ReloadedServer.Values()
        wrong.clientSecret = "that-the-provider-does-not-know"
        try await ReloadedServer.run(wrong) { server, running in
            let login = try await server.begin()
            try await server.change(to: ReloadedServer.Values(), &running)
            try await server.finish(login)
        }
    }

    @Test func `no sign-in is lost while a sealing key is added, moved first and dropped`() async throws {
        try await ReloadedServer.run { server, running in
            var values = ReloadedServer.Values()
            let (old, new) = (ReloadedServer.key(1), ReloadedServer.key(2))
            let underOld = try await server.begin()
            values.sealingKeys = [old, new]
            try await server.change(to: values, &running)
            let whileAdded = try await server.begin()
            values.sealingKeys = [new, old]
            try await server.change(to: values, &running)
            let underNew = try await server.begin()
            try await server.finish(underOld)
            try await server.finish(whileAdded)
            values.sealingKeys = [new]
            try await server.change(to: values, &running)
            try await server.finish(underNew)
        }
    }

    @Test func `a configuration that is refused ends no sign-in`() async throws {
        try await ReloadedServer.run { server, running in
            let login = try await server.begin()
            var values = ReloadedServer.Values()
            values.sealingKeys = [ReloadedServer.key(2)]
            values.redirectURI = "https://shop.example/elsewhere"
            values.isBroken = true
            try await server.change(to: values, &running)
            try await server.finish(login)
            try await server.finish(try await server.begin())
        }
    }
}
