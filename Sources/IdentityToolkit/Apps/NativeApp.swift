// SPDX-License-Identifier: Apache-2.0

/// What names an app on iOS or Android to the handler page, and how a result gets to it. An app without any of it
/// cannot use the handler page, but may send native credentials.
package struct NativeApp: Sendable, Hashable {
    /// The bundle ID of an app on iOS: `bundle-id`.
    package let bundleID: String?
    /// The `GOOGLE_APP_ID` of an app on iOS, which gives the URL scheme: `google-app-id`.
    package let googleAppID: String?
    /// The OAuth client ID of an app on iOS, which gives the URL scheme: `oauth-client-id`.
    package let oauthClientID: String?
    /// The name of the package of an app on Android: `package-name`.
    package let packageName: String?
    /// The SHA-1 of the certificates that may have signed an app on Android, as configured: `certificate-sha1`.
    package let certificateSHA1: [String]

    /// Creates what names an app. Nothing is checked here; see ``SDKApp/errors``.
    package init(
        bundleID: String? = nil, googleAppID: String? = nil, oauthClientID: String? = nil, packageName: String? = nil,
        certificateSHA1: [String] = []
    ) {
        self.bundleID = bundleID
        self.googleAppID = googleAppID
        self.oauthClientID = oauthClientID
        self.packageName = packageName
        self.certificateSHA1 = certificateSHA1
        certificates = certificateSHA1.compactMap { Self.certificate($0) }
    }

    /// Those of ``certificateSHA1`` that can be read, as the SDK sends them: 40 lower-case hexadecimal digits.
    package let certificates: [String]

    /// The URL scheme of the OAuth client ID: its parts in the opposite order.
    package var oauthClientIDScheme: String? {
        guard let oauthClientID else { return nil }
        let dot = UInt8(ascii: ".")
        return oauthClientID.utf8.split(separator: dot, omittingEmptySubsequences: false).reversed()
            .map { String(Substring($0)) }.joined(separator: ".")
    }

    /// The URL scheme of the Google app ID: `app-` and the ID with `-` for each colon.
    package var googleAppIDScheme: String? {
        guard let googleAppID else { return nil }
        let colon = UInt8(ascii: ":")
        return "app-"
            + googleAppID.utf8.split(separator: colon, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: "-")
    }
}
