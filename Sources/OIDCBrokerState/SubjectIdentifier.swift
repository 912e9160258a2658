// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The broker's own `sub` for a user. It depends only on the issuer and the subject, not on the name of the provider in
/// the configuration.
package enum SubjectIdentifier {
    /// The maximum length of a provider's `sub`, in ASCII characters (OpenID Connect Core 1.0 section 2).
    package static let longestUpstreamSubject = 255

    /// Returns base64url(SHA-256("oidc-broker sub v1", length-prefixed issuer, length-prefixed subject)).
    package static func derive(issuer: String, subject: String) -> String {
        var writer = ByteWriter()
        writer.write(raw: "oidc-broker sub v1".utf8)
        writer.write(counted: issuer.utf8)
        writer.write(counted: subject.utf8)
        return Base64URL.encode(Hash.sha256(writer.bytes))
    }
}
