// SPDX-License-Identifier: Apache-2.0

/// The constants of Apple's OpenID Provider. Its endpoints and keys are not among them, since they are taken from its
/// metadata.
public enum AppleIssuer {
    /// The issuer, as in Apple's metadata and ID tokens.
    public static let issuer = "https://appleid.apple.com"
    /// The provider ID that apps use for Apple, which is also Firebase's.
    public static let providerID = "apple.com"
    /// The domain of the relay addresses that hide a user's own.
    public static let privateRelayDomain = "privaterelay.appleid.com"

    /// The path of the endpoint that translates subjects between teams, which is the only one that the metadata does
    /// not name.
    static let userMigrationPath = "/auth/usermigrationinfo"
}
