// SPDX-License-Identifier: Apache-2.0

/// The replacement of Apple by the mock Apple of `OIDCBrokerTesting`. No key of the configuration can set Apple's
/// issuer.
package struct AppleStandIn: Sendable, Hashable {
    /// The issuer, which is https or, on a loopback host, http.
    package var issuer: String
    /// The certificate authorities to trust instead of the system's, as PEM bytes; `nil` if the system's are trusted.
    package var certificateAuthorities: [UInt8]?

    /// Creates a replacement.
    package init(issuer: String, certificateAuthorities: [UInt8]? = nil) {
        self.issuer = issuer
        self.certificateAuthorities = certificateAuthorities
    }
}

extension BrokerConfiguration.Provider {
    /// Replaces Apple. A provider of another kind is not changed.
    package mutating func replaceApple(by standIn: AppleStandIn) {
        apple?.replace(by: standIn)
    }
}
