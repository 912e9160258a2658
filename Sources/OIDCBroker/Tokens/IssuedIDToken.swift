// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// An ID token of the broker that an app presents, which identifies the user for whom the app acts.
struct IssuedIDToken {
    /// The provider's ID.
    let provider: String
    /// The provider's issuer.
    let upstreamIssuer: String
    /// The user's subject at that issuer.
    let upstreamSubject: String

    /// Reads a token; `nil` unless it was signed by this broker for this app and is not expired.
    init?(_ compact: String, snapshot: BrokerSnapshot, app: AppEntry, now: Int64) {
        guard let signature = try? JSONWebSignature(compact: compact),
            let keys = try? KeySet(json: snapshot.keySetDocument),
            let claims = try? signature.verified(
                by: keys, algorithms: Set(snapshot.signingKeys.algorithms)
            ).claims,
            claims["iss"]?.text?.hasSameBytes(as: snapshot.issuer) == true,
            claims["aud"]?.text?.hasSameBytes(as: app.clientID) == true,
            let expiry = claims["exp"]?.secondsValue, expiry > now,
            let issuedAt = claims["iat"]?.secondsValue, issuedAt <= now + LoginState.clockSkew,
            let subject = claims["sub"]?.text, let provider = claims["provider"]?.text?.ascii(atMost: 256),
            let upstreamIssuer = claims["upstream_iss"]?.text?.ascii(atMost: AbsoluteURL.maximumLength),
            let upstreamSubject = claims["upstream_sub"]?.text?.ascii(
                atMost: SubjectIdentifier.longestUpstreamSubject),
            subject.hasSameBytes(as: SubjectIdentifier.derive(issuer: upstreamIssuer, subject: upstreamSubject))
        else { return nil }
        self.provider = provider
        self.upstreamIssuer = upstreamIssuer
        self.upstreamSubject = upstreamSubject
    }
}
