// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting

/// The certificate of most tests, made once; for `localhost`, 127.0.0.1 and the address of ``OutageTests``.
enum TestCertificate {
    private static let made = Result { try make() }

    /// The shared one.
    static func shared() throws -> DevelopmentCertificate { try made.get() }

    /// Another one for the same hosts.
    static func make() throws -> DevelopmentCertificate {
        try DevelopmentCertificate.make(hosts: ["localhost", "127.0.0.1", OutageTests.providerHost])
    }
}
