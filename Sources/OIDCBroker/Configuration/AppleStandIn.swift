// SPDX-License-Identifier: Apache-2.0

/// Who stands in Apple's place: a mock Apple of `OIDCBrokerTesting`, and nobody else. Apple's issuer is not
/// configuration.
package struct AppleStandIn: Sendable, Hashable {
    /// The issuer, https or, on loopback, http.
    package var issuer: String
    /// What is trusted there instead of the system's authorities, PEM bytes; nil: the system's.
    package var certificateAuthorities: [UInt8]?

    /// A stand-in.
    package init(issuer: String, certificateAuthorities: [UInt8]? = nil) {
        self.issuer = issuer
        self.certificateAuthorities = certificateAuthorities
    }
}

extension BrokerConfiguration.Provider {
    /// Puts something else in Apple's place; of another kind of provider nothing is changed.
    package mutating func replaceApple(by standIn: AppleStandIn) {
        apple?.replace(by: standIn)
    }
}
