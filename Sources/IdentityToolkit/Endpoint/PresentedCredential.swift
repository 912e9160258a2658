// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBroker
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple

/// A verified credential of a provider: a native ID token, or a pending credential that came from one.
struct PresentedCredential: Sendable {
    /// What was verified, which the app may present later instead.
    let pending: PendingCredential
    /// What a sign-in with it uses up.
    let uses: [TokenUse]
    /// The first name of the user, which Apple sends once; `nil` if there is none.
    var firstName: String?
    /// The last name of the user, which Apple sends once; `nil` if there is none.
    var lastName: String?
    /// Whether it is that of a login at the handler page, whose ID token no app has presented yet.
    var isOfTicket = false
    /// Whether an account may be made of it, as far as that was asked about.
    var permission = NewAccountPermission.free

    var identity: VerifiedIdentity { pending.identity }

    /// The record of the access token that the app gets back, by which it may revoke the grant later; `nil` if it gets
    /// none.
    var handedOutToken: AccountIdentity.HandedOutToken? {
        pending.accessToken.map {
            AccountIdentity.HandedOutToken(
                $0, expiry: pending.accessTokenExpiry ?? pending.verifiedAt + Self.assumedLifetime)
        }
    }

    /// The lifetime of an access token whose provider did not say how long it is valid, in seconds.
    private static let assumedLifetime: Int64 = 3600

    init(pending: PendingCredential) {
        self.pending = pending
        uses = pending.uses
    }

    /// - Parameters:
    ///   - signIn: What was verified.
    ///   - token: What the app presented.
    ///   - provider: The provider.
    ///   - maximumAge: The maximum age of the token, in seconds.
    ///   - now: The current time, in seconds since 1970.
    init(
        _ signIn: VerifiedSignIn, _ token: SignInWithIdpRequest.NativeToken, at provider: BrokerAccess.Provider,
        maximumAge: Int64, now: Int64
    ) {
        let user = provider.sendsUser ? token.user.flatMap { AppleUser(json: $0) } : nil
        (firstName, lastName) = (user?.givenName, user?.familyName)
        let origin = TokenUse.nativeToken(token.idToken, acceptedUntil: now + maximumAge + Self.reserve)
        uses = [origin]
        pending = PendingCredential(
            VerifiedIdentity(signIn, providerID: provider.id, isApple: provider.sendsUser, name: user?.displayName),
            claims: signIn.claims.object, idToken: token.idToken,
            accessToken: token.accessToken(boundTo: signIn)?.exposed, verifiedAt: now, authTime: signIn.issuedAt,
            origin: origin)
    }

    /// How much longer than its maximum age a token is accepted somewhere, in seconds: the clocks of two servers.
    private static let reserve: Int64 = 120
}

extension SignInWithIdpRequest.NativeToken {
    /// The access token if the ID token has its hash (OpenID Connect Core 1.0 section 3.1.3.8); `nil` otherwise.
    func accessToken(boundTo signIn: VerifiedSignIn) -> Secret? {
        guard let accessToken, let hash = signIn.claims.object["at_hash"]?.text,
            let algorithm = try? JSONWebSignature(compact: idToken).algorithm,
            hash.hasSameBytes(as: TokenHash.leftHalf(of: accessToken, algorithm: algorithm))
        else { return nil }
        return Secret(accessToken)
    }
}

extension VerifiedIdentity {
    /// Creates the identity of a verified sign-in.
    /// - Parameters:
    ///   - signIn: What was verified.
    ///   - providerID: The ID of the provider as clients see it.
    ///   - isApple: Whether the provider is Apple.
    ///   - name: The name that came beside the token. The account gets as much of it as it may have; `nil` for the one
    ///     in the token.
    init(_ signIn: VerifiedSignIn, providerID: String, isApple: Bool, name: String?) {
        let claims = signIn.claims
        // Apple's claims are read as Apple writes them; those of others are never a text.
        let apple = AppleClaims(claims)
        let isProved = isApple ? apple.emailIsVerified : claims.boolean("email_verified") == true
        self.init(
            IdentityKey(issuer: signIn.issuer, subject: signIn.subject), providerID: providerID,
            email: claims.string("email").flatMap { EmailAddress($0) }, isEmailProved: isProved,
            isPrivateRelay: apple.isPrivateEmail == true || apple.isPrivateRelayAddress,
            displayName: name.flatMap { AppleUser.cleaned($0, atMost: AccountLimits.displayNameScalars) }
                ?? claims.string("name"), photoURL: claims.string("picture"))
        importedKey = Self.importedKey(of: signIn)
        providerSession = BackChannelLogout.sessionID(of: claims.object).map {
            AccountSession.hash(ofProviderSession: $0, issuer: signIn.issuer)
        }
    }

    /// The key under which a user of Microsoft Entra may have been imported: of both claims of the ID token itself, which was
    /// verified, and of the issuer of exactly that tenant.
    private static func importedKey(of signIn: VerifiedSignIn) -> IdentityKey? {
        guard let claims = JSONObject(claimsOf: signIn.idToken.exposed),
            let tenant = claims["tid"]?.text?.visibleASCII(atMost: 36),
            let object = claims["oid"]?.text?.visibleASCII(atMost: 36),
            signIn.issuer.hasSameBytes(as: IdentityKey.entraIssuer(of: tenant))
        else { return nil }
        return IdentityKey(entraObject: object, of: tenant)
    }
}
