// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDConnect

extension RelyingParty {
    /// The times at which a token may be looked at, in seconds since 1970: up to the year 9999.
    package static let explainableTimes: ClosedRange<Int64> = 0...253_402_300_799

    /// Makes every check of an ID token that a sign-in makes, in its order, also those after one that fails. Nothing is
    /// sent.
    /// - Parameters:
    ///   - idToken: The token in compact serialization.
    ///   - keys: The provider's keys.
    ///   - nonce: The raw nonce of the sign-in; `nil` if it is not known, in which case `nonce` is not checked.
    ///   - accessToken: The access token that came with the token from the token endpoint; `nil` if it is not known, in
    ///     which case `at_hash` is not checked. None comes with a token of an authorization response, whose `at_hash` is
    ///     ignored.
    ///   - code: The code that came with the token or was exchanged for it; `nil` if it is not known, in which case
    ///     `c_hash` is not checked. With a response type of both, the token is taken for the one of the authorization
    ///     response, which must have `c_hash`. With a response type without a code it is not used, and a token that has
    ///     `c_hash` is refused.
    ///   - maximumAge: The `max_age` that was sent, in seconds; `nil` if it is not known. One of the configuration
    ///     counts if it is smaller. An `auth_time` that is no time, or too old for the configuration, is refused in any
    ///     case; it passes only if it is known what was sent.
    ///   - now: The time at which the token is looked at, in seconds since 1970; `nil` for the current time. It is kept
    ///     within ``explainableTimes``.
    package func explain(
        idToken: String, keys: KeySet, metadata: ProviderMetadata, nonce: String? = nil, accessToken: String? = nil,
        code: String? = nil, maximumAge: Int64? = nil, now: Int64? = nil
    ) -> IDTokenExplanation {
        var explanation = IDTokenExplanation()
        let signature = explainToken(idToken, metadata, &explanation)
        let isSymmetric = signature?.algorithm.isSymmetric == true
        explanation.keys = isSymmetric ? [] : IDTokenExplanation.Key.all(in: keys, for: signature)
        let verified = explainSignature(signature, keys, metadata, &explanation)
        let type = signature?.type ?? explanation.header?["typ"]?.text
        let payload = verified ?? explanation.claims.flatMap { IDTokenExplanation.payload($0, type: type) }
        guard let payload else {
            for check in policy.checks {
                explanation.add(check.name, .skip, wanted: "claims", found: "none that can be read")
            }
            return explanation
        }
        var expectation = idTokenExpectation(metadata, nonce: nonce.map(configuration.profile.nonce(fromRaw:)))
        let times = Self.explainableTimes
        expectation.now = min(max(now ?? expectation.now, times.lowerBound), times.upperBound)
        expectation.maximumAge = [maximumAge, configuration.maximumAge].compactMap { $0 }.min()
        // Whether it is the token of an authorization response, beside which no access token comes.
        let isFront = !configuration.responseType.hasCode || (hasCodeBesideIDToken && code != nil)
        expectation.accessToken = accessToken
        expectation.ignoresAccessTokenHash = isFront
        expectation.code = configuration.responseType.hasCode ? code : nil
        expectation.requiresCodeHash = code != nil && hasCodeBesideIDToken
        // A hash that is no text is not that of any state.
        if isFront, let hash = payload.claims["s_hash"], hash.text == nil { expectation.state = "" }
        for (check, finding) in policy.findings(of: payload, expectation) {
            if let value = unknown(check, payload, expectation, finding, maximumAge: maximumAge) {
                explanation.add(
                    check.name, .skip, wanted: value.rawValue, found: "not known here", unknown: value)
            } else if let finding {
                explanation.add(check.name, .fail, wanted: finding.wanted, found: finding.found)
            } else {
                let met = check.met(by: payload, expectation) ?? (wanted: "as it is", found: "as it is")
                explanation.add(check.name, .pass, wanted: met.wanted, found: met.found)
            }
        }
        return explanation
    }

    /// What a check needs that is not known; `nil` if the check can be made. A hash that is no text is refused whatever
    /// it is of. `maximumAge` is the `max_age` that was sent; `nil` if it is not known.
    private func unknown(
        _ check: IDTokenCheck, _ token: VerifiedPayload, _ expectation: IDTokenExpectation, _ finding: IDTokenFinding?,
        maximumAge: Int64?
    ) -> IDTokenExplanation.SignInValue? {
        switch check.name {
        // Every sign-in sends one, so that a token without any does not meet the check either.
        case IDTokenCheck.nonce.name where expectation.nonce == nil: .nonce
        case IDTokenCheck.subjectContinuity.name where expectation.subject == nil: .subject
        // What is refused without it, or by that of the configuration, is refused whatever was sent.
        case IDTokenCheck.authenticationTime.name where maximumAge == nil && finding == nil: .maximumAge
        case IDTokenCheck.accessTokenHash.name
        where !expectation.ignoresAccessTokenHash && expectation.accessToken == nil
            && token.claims["at_hash"]?.text != nil:
            .accessToken
        // Without it, whether the claim must be there is not known either.
        case IDTokenCheck.codeHash.name
        where configuration.responseType.hasCode && expectation.code == nil
            && (token.claims["c_hash"].map { $0.text != nil } ?? hasCodeBesideIDToken):
            .code
        case IDTokenCheck.stateHash.name where expectation.state == nil && token.claims["s_hash"] != nil: .state
        default: nil
        }
    }

    /// Whether an authorization response has a code beside an ID token.
    private var hasCodeBesideIDToken: Bool {
        configuration.responseType.hasCode && configuration.responseType.hasIDToken
    }

    /// Explains form, encryption and algorithm, and returns the token if it can be read at all.
    private func explainToken(
        _ idToken: String, _ metadata: ProviderMetadata, _ explanation: inout IDTokenExplanation
    ) -> JSONWebSignature? {
        let names = idTokenAlgorithms(metadata).map(\.rawValue).sorted().joined(separator: ", ")
        let wanted = "a signed token with alg \(names)"
        do throws(RelyingPartyError) {
            let token = try read(idToken: idToken, metadata)
            explanation.read(token.compact)
            let isDecrypted = JSONWebSignature.isFiveSegments(idToken)
            explanation.add(
                "token", .pass, wanted: wanted,
                found: token.signature.algorithm.rawValue + (isDecrypted ? ", decrypted" : ""))
            return token.signature
        } catch {
            explanation.read(idToken)
            explanation.add("token", .fail, wanted: wanted, found: "\(error)")
            return try? JSONWebSignature(compact: idToken)
        }
    }

    /// Explains the signature, and returns the claims if it is right.
    private func explainSignature(
        _ signature: JSONWebSignature?, _ keys: KeySet, _ metadata: ProviderMetadata,
        _ explanation: inout IDTokenExplanation
    ) -> VerifiedPayload? {
        let name = "signature"
        guard let signature else {
            explanation.add(name, .skip, wanted: "a signature", found: "a token that cannot be read")
            return nil
        }
        let isSymmetric = signature.algorithm.isSymmetric
        let wanted = "\(signature.algorithm.rawValue) by \(isSymmetric ? "the client secret" : "a key of the provider")"
        do {
            let payload: VerifiedPayload
            if isSymmetric {
                payload = try verifiedBySecret(
                    ReceivedIDToken(compact: "", signature: signature), metadata)
            } else {
                payload = try signature.verified(by: keys, algorithms: idTokenAlgorithms(metadata))
            }
            let signer = explanation.keys.first { $0.isSigner }.map { "that of key \($0.name)" }
            explanation.add(name, .pass, wanted: wanted, found: signer ?? "that of the client secret")
            return payload
        } catch {
            explanation.add(name, .fail, wanted: wanted, found: "\(error)")
            return nil
        }
    }
}
