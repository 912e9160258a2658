// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBroker
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple

/// A verified credential of a provider: a native ID token, or a pending credential that came from one.
struct PresentedCredential: Sendable {
    let identity: VerifiedIdentity
    let verifiedAt: Int64
    let uses: [SingleUse]
    /// What the app may present later instead.
    let pending: PendingCredential
    private let person: SignInWithIdpResponse.Person

    var providerTokens: SignInWithIdpResponse.ProviderTokens {
        SignInWithIdpResponse.ProviderTokens(idToken: pending.idToken, accessToken: pending.accessToken)
    }

    init(pending: PendingCredential) {
        identity = pending.identity
        verifiedAt = pending.verifiedAt
        uses = pending.uses
        self.pending = pending
        person = SignInWithIdpResponse.Person(fullName: pending.identity.displayName, claims: pending.claims)
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
        let name = provider.sendsUser ? token.user.flatMap { PresentedName($0) } : nil
        identity = VerifiedIdentity(signIn, providerID: provider.id, isApple: provider.sendsUser, name: name?.full)
        verifiedAt = now
        let origin = SingleUse.nativeToken(token.idToken, acceptedUntil: now + maximumAge + Self.reserve)
        uses = [origin]
        let claims = (try? JSONParser.object(signIn.claims.json, limits: .presented)) ?? JSONObject()
        person = SignInWithIdpResponse.Person(
            fullName: name?.full ?? identity.displayName, firstName: name?.first, lastName: name?.last, claims: claims)
        pending = PendingCredential(
            identity, claims: claims, idToken: token.idToken,
            accessToken: Self.bound(token.accessToken, to: token.idToken, claims), verifiedAt: now, origin: origin)
    }

    /// How much longer than its maximum age a token is accepted somewhere, in seconds: the clocks of two servers.
    private static let reserve: Int64 = 120

    /// The access token if the ID token has its hash (OpenID Connect Core 1.0 section 3.1.3.8); `nil` otherwise.
    private static func bound(_ accessToken: String?, to idToken: String, _ claims: JSONObject) -> String? {
        guard let accessToken, let hash = claims["at_hash"]?.text,
            let algorithm = try? JSONWebSignature(compact: idToken).algorithm,
            hash.hasSameBytes(as: TokenHash.leftHalf(of: accessToken, algorithm: algorithm))
        else { return nil }
        return accessToken
    }

    /// The response where the person was signed in.
    func response(_ signedIn: AccountService.SignedIn) -> SignInWithIdpResponse {
        SignInWithIdpResponse(
            account: signedIn.person.account, identity: signedIn.person.identity, isNew: signedIn.person.isNew,
            idToken: signedIn.idToken, refreshToken: signedIn.refreshToken, person: person,
            providerTokens: providerTokens)
    }
}

extension JSONLimits {
    fileprivate static let presented = JSONLimits(maximumBytes: JSONWebSignature.longestToken)
}

extension VerifiedIdentity {
    /// Creates the identity of a verified sign-in.
    /// - Parameters:
    ///   - signIn: What was verified.
    ///   - providerID: The ID of the provider as clients see it.
    ///   - isApple: Whether the provider is Apple.
    ///   - name: The name that came beside the token; `nil` for the one in it.
    init(_ signIn: VerifiedSignIn, providerID: String, isApple: Bool, name: String?) {
        let claims = signIn.claims
        // Apple's claims are read as Apple writes them; those of others are never a text.
        let apple = AppleClaims(claims)
        let isProved = isApple ? apple.emailIsVerified : claims.boolean("email_verified") == true
        self.init(
            IdentityKey(issuer: signIn.issuer, subject: signIn.subject), providerID: providerID,
            email: claims.string("email").flatMap { EmailAddress($0) }, isEmailProved: isProved,
            isPrivateRelay: apple.isPrivateEmail == true || apple.isPrivateRelayAddress,
            displayName: name ?? claims.string("name"), photoURL: claims.string("picture"))
    }
}

/// The name that Apple sends once beside the first ID token of a person. It is not signed.
struct PresentedName: Sendable {
    /// The maximum length of a part, in scalars.
    static let longestPart = 255

    let first: String?
    let last: String?

    /// Reads the JSON text of the member `user`; `nil` if it has no name that may be shown.
    init?(_ user: WireText) {
        guard
            let object = try? JSONParser.object(
                Array(user.utf8), limits: JSONLimits(maximumBytes: 8192, maximumDepth: 4)),
            let name = object["name"]?.objectValue
        else { return nil }
        func part(_ member: String) -> String? {
            guard let text = name[member]?.text?.makeString(), text.unicodeScalars.count <= Self.longestPart,
                AccountOperations.isDisplayName(text)
            else { return nil }
            return text
        }
        first = part("firstName")
        last = part("lastName")
        guard first != nil || last != nil else { return nil }
    }

    var full: String { [first, last].compactMap { $0 }.joined(separator: " ") }
}
