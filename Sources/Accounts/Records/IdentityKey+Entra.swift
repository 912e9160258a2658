// SPDX-License-Identifier: Apache-2.0

import JOSE

// Firebase knows a user of Microsoft Entra by the object id, which is the same for every application of a tenant. The `sub`
// of an ID token is another one for each application, and only a sign-in tells it.
extension IdentityKey {
    /// The key of an identity that was imported with an object id, until the first sign-in; `nil` if one of the two is no
    /// UUID in lower case. No ID token has this issuer, since an issuer has no fragment (OpenID Connect Core 1.0 section 2).
    /// - Parameters:
    ///   - object: The object id: the claim `oid`.
    ///   - tenant: The tenant to which the object belongs: the claim `tid`.
    package init?(entraObject object: String, of tenant: String) {
        guard Self.isUUID(object), Self.isUUID(tenant) else { return nil }
        self.init(issuer: Self.entraIssuer(of: tenant) + Self.objectMark, subject: object)
    }

    private static let objectMark = "#oid"

    /// Whether it is the key of an identity that was imported with an object id, and has had no sign-in.
    var isEntraObject: Bool { issuer.utf8.suffix(Self.objectMark.utf8.count).elementsEqual(Self.objectMark.utf8) }

    /// The issuer of the ID tokens of a tenant of Microsoft Entra.
    package static func entraIssuer(of tenant: String) -> String {
        "\(entraOrigin)\(tenant)/v2.0"
    }

    private static let entraOrigin = "https://login.microsoftonline.com/"

    /// The tenant whose issuer this is; `nil` if it is that of none.
    package static func entraTenant(ofIssuer issuer: String) -> String? {
        let tenant = String(decoding: issuer.utf8.dropFirst(entraOrigin.utf8.count).prefix(36), as: UTF8.self)
        return isUUID(tenant) && entraIssuer(of: tenant).hasSameBytes(as: issuer) ? tenant : nil
    }

    /// Whether a text may be the id of a tenant or of an object: a UUID in lower case.
    package static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { position, byte in
                switch (position, byte) {
                case (8, _), (13, _), (18, _), (23, _): byte == UInt8(ascii: "-")
                case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "a")...UInt8(ascii: "f")): true
                default: false
                }
            }
    }
}
