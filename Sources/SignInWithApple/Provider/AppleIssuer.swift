// SPDX-License-Identifier: Apache-2.0

/// What Apple publishes of its OpenID Provider. Endpoints and keys are not among it: its discovery document names them.
public enum AppleIssuer {
    /// The issuer, as Apple's discovery document and ID tokens spell it.
    public static let issuer = "https://appleid.apple.com"
    /// The provider id that apps know it by, Firebase's own.
    public static let providerID = "apple.com"
    /// The domain of the addresses that hide a person's own.
    public static let privateRelayDomain = "privaterelay.appleid.com"

    /// Where subjects are translated between teams; the one endpoint that the discovery document does not name.
    static let userMigrationPath = "/auth/usermigrationinfo"
}
