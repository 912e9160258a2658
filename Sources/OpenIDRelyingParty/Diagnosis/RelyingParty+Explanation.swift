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
    ///   - now: The time at which the token is looked at, in seconds since 1970; `nil` for the current time. It is kept
    ///     within ``explainableTimes``.
    package func explain(
        idToken: String, keys: KeySet, metadata: ProviderMetadata, nonce: String? = nil, now: Int64? = nil
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
        expectation.maximumAge = configuration.maximumAge
        for (check, finding) in policy.findings(of: payload, expectation) {
            if let unknown = Self.unknown(check, payload, expectation) {
                explanation.add(check.name, .skip, wanted: unknown, found: "not known here")
            } else if let finding {
                explanation.add(check.name, .fail, wanted: finding.wanted, found: finding.found)
            } else {
                let met = check.met(by: payload, expectation) ?? (wanted: "as it is", found: "as it is")
                explanation.add(check.name, .pass, wanted: met.wanted, found: met.found)
            }
        }
        return explanation
    }

    /// What a check needs that is not known; `nil` if the check can be made.
    private static func unknown(
        _ check: IDTokenCheck, _ token: VerifiedPayload, _ expectation: IDTokenExpectation
    ) -> String? {
        switch check.name {
        case IDTokenCheck.nonce.name where expectation.nonce == nil: "the nonce that was sent"
        case IDTokenCheck.subjectContinuity.name where expectation.subject == nil: "the subject of an earlier token"
        case IDTokenCheck.accessTokenHash.name where token.claims["at_hash"] != nil: "the access token"
        case IDTokenCheck.codeHash.name where token.claims["c_hash"] != nil: "the code"
        case IDTokenCheck.stateHash.name where token.claims["s_hash"] != nil: "the state"
        default: nil
        }
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
