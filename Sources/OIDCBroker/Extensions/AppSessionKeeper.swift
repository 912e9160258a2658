// SPDX-License-Identifier: Apache-2.0

package import Admission
package import JOSE
package import NIOCore
package import OpenIDConnect

/// Keeps the sessions of apps that have refresh tokens, or hear of the end of a session. Each call asks its store once, and fails while that is away.
package protocol AppSessionKeeper: Sendable {
    /// Begins a session. The same request, which comes again where its answer was lost, begins it once.
    /// - Returns: A future of the event loop with the refresh token; `nil` if the account may not be used.
    func begin(_ session: NewAppSession, on eventLoop: any EventLoop) -> EventLoopFuture<String?>

    /// Refreshes a session.
    /// - Parameters:
    ///   - presented: The refresh token that an app sent.
    ///   - eventLoop: The event loop of the future.
    ///   - mayGoOn: Throws unless the app may still have the user signed in. Then nothing is used up, and the future fails
    ///     with the error. It may be called more than once, on any thread.
    func refresh(
        _ presented: PresentedRefreshToken, on eventLoop: any EventLoop,
        if mayGoOn: @escaping @Sendable (KeptAppSession) throws -> Void
    ) -> EventLoopFuture<RefreshedAppSession>

    /// Returns the session of a token that the app could refresh; `nil` if there is none.
    func session(
        of presented: PresentedRefreshToken, on eventLoop: any EventLoop
    ) -> EventLoopFuture<KeptAppSession?>

    /// Ends the session of a token, which may have been replaced.
    /// - Parameters:
    ///   - refreshToken: The text, visible ASCII.
    ///   - app: The client ID of the app.
    ///   - client: The address of the client of a public app, which anyone can be; `nil` if it is not known, or the app
    ///     speaks for many users.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future of the event loop with the account; `nil` if there was no session.
    func end(
        refreshToken: String, of app: String, for client: IPAddress?, on eventLoop: any EventLoop
    ) -> EventLoopFuture<String?>

    /// Ends the session that a code began, if there is one and it has not ended.
    /// - Parameters:
    ///   - id: The identifier of the session, 16 bytes.
    ///   - app: The client ID of the app.
    ///   - eventLoop: The event loop of the future.
    func end(sessionOfCode id: [UInt8], of app: String, on eventLoop: any EventLoop) -> EventLoopFuture<Void>
}

/// A session to begin, for a sign-in that entered an account.
package struct NewAppSession: Sendable {
    /// The identifier, 16 bytes, and 32 bytes that make the refresh token. Both are derived from the code.
    package let id, seed: [UInt8]
    /// The client ID of the app.
    package let app: String
    /// What the app's refresh tokens may do.
    package let policy: RefreshTokenPolicy
    /// The identifier of the account.
    package let account: String
    /// The time at which the sign-in entered it, in seconds since 1970.
    package let authTime: Int64
    /// The granted scopes.
    package let scope: String
    /// The claims that the app gets, without the nonce.
    package let claims: JSONObject
    /// The `sid` of the provider's session in which the user signed in; `nil` if the provider named none.
    package let providerSession: String?
}

/// A refresh token that an app sent.
package struct PresentedRefreshToken: Sendable {
    /// The text, visible ASCII.
    package let text: String
    /// The client ID of the app.
    package let app: String
    /// What the app's refresh tokens may do.
    package let policy: RefreshTokenPolicy
    /// The address of the client of a public app; `nil` if it is not known, or the app speaks for many users.
    package let client: IPAddress?

    init(_ text: String, of app: AppEntry, policy: RefreshTokenPolicy, client: IPAddress?) {
        self.text = text
        self.app = app.clientID
        self.policy = policy
        self.client = app.isPublic ? client : nil
    }
}

/// A session that is kept.
package struct KeptAppSession: Sendable {
    /// The identifier, 16 bytes.
    package let id: [UInt8]
    /// The granted scopes.
    package let scope: String
    /// The claims for the app, as the newest sign-in of the identity left them.
    package let claims: JSONObject
    /// The claims by which apps decide, as the newest sign-in of the identity at an OpenID app left them; `nil` if there was
    /// none, or the app decides by none.
    package let decidingClaims: JSONObject?
    /// The ID of the provider that clients know.
    package let providerID: String
    /// The identifier of the account.
    package let account: String
    /// The time at which the sign-in entered the account, that of the beginning, and the end unless it is refreshed, in
    /// seconds since 1970.
    package let authTime, begin, end: Int64

    /// Creates a session.
    package init(
        id: [UInt8], scope: String, claims: JSONObject, decidingClaims: JSONObject?, providerID: String,
        account: String, authTime: Int64, begin: Int64, end: Int64
    ) {
        self.id = id
        self.scope = scope
        self.claims = claims
        self.decidingClaims = decidingClaims
        self.providerID = providerID
        self.account = account
        self.authTime = authTime
        self.begin = begin
        self.end = end
    }
}

/// What became of a refresh.
package enum RefreshedAppSession: Sendable {
    /// The session goes on with a refresh token, which may be the same one.
    case refreshed(KeptAppSession, refreshToken: String)
    /// The token is not valid, or its time is over. Nothing ends by it.
    case refused
    /// The token had been replaced, and came again. The session of the account has ended.
    case reused(account: String)
}
