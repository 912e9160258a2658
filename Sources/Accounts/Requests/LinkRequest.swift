// SPDX-License-Identifier: Apache-2.0

/// A request to link a verified identity to the account of a session.
public struct LinkRequest: Sendable, Hashable {
    /// What was verified.
    public var identity: VerifiedIdentity
    /// The session that asks. The one that begins keeps its time of authentication, since the new identity proves nothing
    /// about the owner of the account.
    public var asking: AuthenticatedSession
    /// The app of the SDK; `nil` if there is none.
    public var app: String?
    /// What linking uses up: all of it, or nothing if linking is refused.
    public var uses: [TokenUse]
    /// The access token of the provider that is handed out; `nil` if there is none.
    public var accessToken: AccountIdentity.HandedOutToken?

    /// Creates a request.
    public init(
        _ identity: VerifiedIdentity, asking: AuthenticatedSession, app: String? = nil, uses: [TokenUse] = [],
        accessToken: AccountIdentity.HandedOutToken? = nil
    ) {
        self.identity = identity
        self.asking = asking
        self.app = app
        self.uses = uses
        self.accessToken = accessToken
    }
}
