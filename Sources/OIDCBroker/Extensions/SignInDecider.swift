// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore

/// Decides about the sign-ins of apps with accounts.
package protocol SignInDecider: Sendable {
    /// Decides whether a verified sign-in may go on to an app with accounts. Nothing was handed off yet.
    /// - Returns: A future of the event loop. Where it fails, the sign-in ends, and the app may try again.
    func decide(about signIn: SignInQuestion, on eventLoop: any EventLoop) -> EventLoopFuture<SignInDecision>

    /// Returns whether the account of a sign-in that was allowed a while ago may still be used, before the app gets its
    /// tokens, or claims for its access token.
    /// - Parameters:
    ///   - account: The identifier with which the sign-in was allowed.
    ///   - issuedAt: The time of an access token, in seconds since 1970, since which the sessions of the account must not
    ///     have been ended. The same token may be asked about any number of times. `nil` for a code, which comes once.
    ///   - session: The identifier of the app's session that an access token belongs to, 16 bytes, which must not have ended;
    ///     `nil` if it belongs to none.
    ///   - eventLoop: The event loop of the future. Where the future fails, the app gets nothing, and may try again.
    func isUsable(
        account: String, since issuedAt: Int64?, session: [UInt8]?, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool>

    /// Returns the claims stored at the newest allowed sign-in with an identity, which may be too long for tokens;
    /// empty if there are none.
    /// - Parameters:
    ///   - issuer: The issuer of the identity.
    ///   - subject: The subject of the identity.
    ///   - account: The identifier of the account to which the identity must belong.
    ///   - eventLoop: The event loop of the future.
    func keptClaims(
        issuer: String, subject: String, account: String, on eventLoop: any EventLoop
    ) -> EventLoopFuture<JSONObject>
}
