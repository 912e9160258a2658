// SPDX-License-Identifier: Apache-2.0

import OIDCBroker

/// An extension of a test.
protocol StubExtension: Sendable {
    /// It in its roles.
    var roles: BrokerExtensions { get }
}

extension BrokerExtensions {
    /// Several extensions at once. The first that decides about sign-ins is asked.
    init(_ parts: [any StubExtension]) { self.init(parts.map(\.roles)) }

    private init(_ parts: [BrokerExtensions]) {
        self.init(
            routes: parts.flatMap(\.routes), decider: parts.lazy.compactMap(\.decider).first,
            logins: parts.flatMap(\.logins), notifications: parts.flatMap(\.notifications)
        ) { configuration in BrokerExtensions(parts.map { $0.configured(by: configuration) }) }
    }
}
