// SPDX-License-Identifier: Apache-2.0

extension LiveCheck {
    /// A check that could not be made because a request failed.
    ///
    /// A provider that is down, or does not respond in time, is unreachable. Everything else does not get better by
    /// itself: a certificate that is not trusted, a refused address, a document that cannot be used.
    /// - Parameter hasAuthorities: Whether certificate authorities are configured.
    package static func failed(
        _ subject: Subject, of provider: String, wanted: String, _ error: RelyingPartyError,
        hasAuthorities: Bool = false
    ) -> LiveCheck {
        LiveCheck(
            subject, of: provider, error.isTemporary ? .unreachable : .wrong, found: "\(error)", wanted: wanted,
            advice: advice(for: error, hasAuthorities: hasAuthorities))
    }

    private static func advice(for error: RelyingPartyError, hasAuthorities: Bool) -> String {
        switch error.transportError {
        case .untrusted? where hasAuthorities:
            "The file of certificate-authorities needs the root certificate that the server's certificate leads to, and the "
                + "server must send its intermediate certificates. The server's own certificate, or an intermediate one, "
                + "in that file is not enough."
        case .untrusted?:
            "If the provider has a certificate of your own authority, name it in certificate-authorities."
        case .addressRefused?:
            "A public issuer must not have endpoints at private addresses; check the issuer and its DNS records."
        case .unusableTrust?:
            "Check the files of certificate-authorities, client-certificate and client-certificate-key."
        case .some:
            "Check the host's name, DNS, the network and, if there is one, the proxy; or try again later."
        case nil where error.isTemporary:
            "The provider responds with an error; try again later."
        case nil:
            "Check the issuer and the provider's own configuration."
        }
    }
}
