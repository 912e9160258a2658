// SPDX-License-Identifier: Apache-2.0

import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerServer

/// What a thousand reloads leave behind.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct ManyReloadsTests {
    /// A reference that keeps nothing alive.
    private final class Reference {
        private weak var object: AnyObject?

        init(_ object: AnyObject) { self.object = object }

        var isAlive: Bool { object != nil }
    }

    @Test func `one relying party for each provider, and one snapshot`() async throws {
        try await ReloadFixture.run { fixture, running in
            var relyingParties: [Reference] = []
            var snapshots: [Reference] = []
            for number in 0..<1_000 {
                let yaml = SourcesFixture.yaml.replacing("from-yaml", with: "secret-\(number)")
                try fixture.directory.write("broker.yaml", yaml.utf8)
                await running.signal()
                snapshots.append(Reference(fixture.broker.current))
                // Each holds what it fetched from its provider.
                relyingParties += fixture.broker.current.providers.map { Reference($0.relyingParty) }
            }
            #expect(fixture.reloads("applied") == 1_000)
            #expect(relyingParties.filter(\.isAlive).count == 1)
            #expect(snapshots.filter(\.isAlive).count == 1)
            #expect(running.files.paths == [fixture.file])
        }
    }
}
