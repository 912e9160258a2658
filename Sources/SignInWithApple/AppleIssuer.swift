// SPDX-License-Identifier: Apache-2.0

/// What Apple publishes of its OpenID Provider.
public enum AppleIssuer {
    /// The issuer, as Apple's discovery document and ID tokens spell it.
    public static let issuer = "https://appleid.apple.com"
    /// The provider id that apps know it by, Firebase's own.
    public static let providerID = "apple.com"
}
