// SPDX-License-Identifier: Apache-2.0

package import JOSE
import OpenIDConnect

/// Security event tokens (RFC 8417), which the provider sends to this server without a user agent.
extension RelyingParty {
    /// The maximum age of an event, in seconds since `iat`: one day, which is the lifetime (`exp`) that Apple gives its
    /// events.
    ///
    /// The provider repeats an event until it is accepted, so a few minutes would lose the events of every longer
    /// outage. The `jti` of an event must be remembered for this time plus the clock skew, so that no event is accepted
    /// twice.
    package static let securityEventLifetime: Int64 = 86_400

    /// Verifies a security event token: signature, issuer, audience, times, and that it is an event with an id rather
    /// than an ID token.
    ///
    /// The caller must make sure, by `jti`, that an event is accepted only once.
    /// - Parameters:
    ///   - compact: The token in compact serialization.
    ///   - audiences: The client IDs of this server and of its apps.
    /// - Returns: The event. It fails with ``SecurityEventError`` if the token is refused, and with
    ///   ``RelyingPartyError`` if the provider's keys cannot be fetched.
    package func verifySecurityEvent(
        _ compact: String, audiences: [String], in scope: RequestScope
    ) -> Eventual<VerifiedPayload> {
        let signature: JSONWebSignature
        do {
            signature = try JSONWebSignature(compact: compact)
        } catch {
            return .failure(SecurityEventError.token("\(error)"))
        }
        return metadata(in: scope).flatMap { [self] metadata in
            verified(event: signature, compact, metadata, in: scope).flatMapThrowing { [self] event in
                if let finding = finding(in: event, issuer: metadata.issuer, audiences: audiences) {
                    throw SecurityEventError.finding(finding)
                }
                return event
            }
        }
    }

    /// Verifies a logout token, which is decrypted like an ID token if it is encrypted (OpenID Connect Back-Channel Logout
    /// 1.0 section 2.6).
    ///
    /// The caller must make sure, by ``BackChannelLogout/identifier``, that a token is accepted only once.
    /// - Returns: The logout. It fails with ``SecurityEventError`` if the token is refused, and with
    ///   ``RelyingPartyError`` if the provider's keys cannot be fetched.
    package func verifyBackChannelLogout(_ compact: String, in scope: RequestScope) -> Eventual<BackChannelLogout> {
        let signed: String
        do {
            signed = try decrypted(compact) { .token($0) }
        } catch {
            return .failure(SecurityEventError.token("\(error)"))
        }
        return verifySecurityEvent(signed, audiences: [configuration.clientID], in: scope)
            .flatMapThrowing { try BackChannelLogout($0) }
    }

    /// Verifies the signature like that of an ID token, by the algorithms of ID tokens (Back-Channel Logout 1.0 section
    /// 2.6).
    private func verified(
        event signature: JSONWebSignature, _ compact: String, _ metadata: ProviderMetadata, in scope: RequestScope
    ) -> Eventual<VerifiedPayload> {
        guard signature.algorithm.isSymmetric else {
            return verified(signature, algorithms: idTokenAlgorithms(metadata), metadata, in: scope) {
                SecurityEventError.token("\($0)")
            }
        }
        return Eventual(catching: {
            try verifiedBySecret(ReceivedIDToken(compact: compact, signature: signature), metadata)
        }).flatMapErrorThrowing { throw SecurityEventError.token("\($0)") }
    }

    private func finding(in event: VerifiedPayload, issuer: String, audiences: [String]) -> IDTokenFinding? {
        let claims = event.claims
        func refuse(_ claim: String, wanted: String, found: JSONValue?) -> IDTokenFinding {
            IDTokenFinding(check: claim, wanted: wanted, found: IDTokenFinding.describe(found))
        }
        // RFC 8417 section 2.3. Apple omits `typ` or sets it to `JWT`.
        if let type = event.type,
            !["jwt", "application/jwt", "secevent+jwt", "logout+jwt"].contains(type.ascii(atMost: 32)?.lowercased())
        {
            return IDTokenFinding(
                check: "typ", wanted: "JWT or secevent+jwt", found: IDTokenFinding.describe(.text(type)))
        }
        guard claims["iss"]?.text?.hasSameBytes(as: issuer) == true else {
            return refuse("iss", wanted: "'\(issuer)'", found: claims["iss"])
        }
        guard Self.audience(of: claims, isAmong: audiences) else {
            return refuse("aud", wanted: "one of \(audiences.count) client ids alone", found: claims["aud"])
        }
        guard claims["events"] != nil else { return refuse("events", wanted: "an event", found: nil) }
        guard let identifier = claims["jti"]?.text, (1...255).contains(identifier.utf8.count) else {
            return IDTokenFinding(check: "jti", wanted: "1 to 255 bytes", found: "something else")
        }
        return findingOfTimes(in: claims)
    }

    private func findingOfTimes(in claims: JSONObject) -> IDTokenFinding? {
        let now = clock.now()
        let skew = clockSkew
        guard let issuedAt = claims["iat"]?.secondsValue else {
            return IDTokenFinding(check: "iat", wanted: "a time", found: IDTokenFinding.describe(claims["iat"]))
        }
        guard issuedAt - now <= skew else {
            return IDTokenFinding(
                check: "iat", wanted: "a time at most \(skew) s ahead (clock skew)", found: "\(issuedAt - now) s ahead")
        }
        guard now - issuedAt <= Self.securityEventLifetime + skew else {
            return IDTokenFinding(
                check: "iat", wanted: "a time at most \(Self.securityEventLifetime) s past",
                found: "\(now - issuedAt) s past")
        }
        guard let value = claims["exp"] else { return nil }
        guard let expiry = value.secondsValue else {
            return IDTokenFinding(check: "exp", wanted: "a time", found: IDTokenFinding.describe(value))
        }
        guard now - expiry < skew else {
            return IDTokenFinding(
                check: "exp", wanted: "a time at most \(skew) s past (clock skew)", found: "\(now - expiry) s past")
        }
        return nil
    }

    private static func audience(of claims: JSONObject, isAmong audiences: [String]) -> Bool {
        let one: WireText? =
            switch claims["aud"] {
            case .text(let text): text
            case .array(let several) where several.count == 1: several[0].text
            default: nil
            }
        guard let one, !one.isEmpty else { return false }
        return audiences.contains { one.hasSameBytes(as: $0) }
    }
}
