// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The broker's own `sub` for a person: the same for the same issuer and subject, whatever the provider is called in the
/// configuration; different for any other pair.
package enum SubjectIdentifier {
    /// base64url(SHA-256("oidc-broker sub v1", length-prefixed issuer, length-prefixed subject)).
    package static func derive(issuer: String, subject: String) -> String {
        var writer = ByteWriter()
        writer.write(raw: "oidc-broker sub v1".utf8)
        writer.write(counted: issuer.utf8)
        writer.write(counted: subject.utf8)
        return Base64URL.encode(Hash.sha256(writer.bytes))
    }
}
