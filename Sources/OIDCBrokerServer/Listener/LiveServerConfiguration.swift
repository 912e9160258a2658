// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The configuration of a server that is running, as of its last reload.
///
/// Whatever may change while the server runs is read from here once for each connection or request, and never kept
/// longer. What is fixed while it runs has the same value in every configuration that is put here.
package final class LiveServerConfiguration: Sendable {
    private struct Contents {
        let configuration: ServerConfiguration
        let rules: ConnectionRules

        init(_ configuration: ServerConfiguration) {
            self.configuration = configuration
            rules = ConnectionRules(configuration)
        }
    }

    private let box: Mutex<Contents>

    /// Creates a box with the configuration of the start.
    package init(_ configuration: ServerConfiguration) {
        box = Mutex(Contents(configuration))
    }

    /// The configuration in use now.
    package var current: ServerConfiguration { box.withLock { $0.configuration } }

    /// What it says of a new connection.
    var rules: ConnectionRules { box.withLock { $0.rules } }

    /// Puts another configuration in use. It is one that has been validated.
    package func update(_ configuration: ServerConfiguration) {
        let contents = Contents(configuration)
        box.withLock { $0 = contents }
    }
}
