// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OpenIDConnect
package import Signing

/// An ID token of the broker that an app presents, which identifies the user for whom the app acts.
package struct IssuedIDToken {
    /// The broker's `sub` of the user.
    package let subject: String
    /// The provider's ID.
    package let provider: String
    /// The provider's issuer.
    package let upstreamIssuer: String
    /// The user's subject at that issuer.
    package let upstreamSubject: String
    /// The session of the `sid`, 16 bytes; `nil` if the token has none.
    package let sessionID: [UInt8]?

    /// Reads a token; `nil` unless it was signed by this broker for this app, and is not too old.
    /// - Parameters:
    ///   - keys: The keys of the broker.
    ///   - clientID: The client ID of the app.
    ///   - maximumAge: The maximum time since the token was issued, in seconds; `nil` if it only names a user
    ///     (`id_token_hint`): an expired one works too.
    package init?(
        _ compact: String, signedBy keys: SigningKeys, issuer: String, clientID: String, now: Int64,
        maximumAge: Int64?
    ) {
        guard let signature = try? JSONWebSignature(compact: compact),
            let claims = try? signature.verified(by: keys.keySet, algorithms: Set(keys.algorithms)).claims,
            claims["iss"]?.text?.hasSameBytes(as: issuer) == true,
            claims["aud"]?.text?.hasSameBytes(as: clientID) == true,
            let expiry = claims["exp"]?.secondsValue, maximumAge == nil || expiry > now,
            let issuedAt = claims["iat"]?.secondsValue, issuedAt <= now + LoginState.clockSkew,
            maximumAge.map({ issuedAt >= now - $0 }) ?? true,
            let subject = claims["sub"]?.text, let provider = claims["provider"]?.text?.ascii(atMost: 256),
            let upstreamIssuer = claims["upstream_iss"]?.text?.ascii(atMost: AbsoluteURL.maximumLength),
            let upstreamSubject = claims["upstream_sub"]?.text?.ascii(
                atMost: SubjectIdentifier.longestUpstreamSubject),
            case let derived = SubjectIdentifier.derive(issuer: upstreamIssuer, subject: upstreamSubject),
            subject.hasSameBytes(as: derived)
        else { return nil }
        self.subject = derived
        self.provider = provider
        self.upstreamIssuer = upstreamIssuer
        self.upstreamSubject = upstreamSubject
        sessionID = AccessToken.session(in: claims)
    }
}
