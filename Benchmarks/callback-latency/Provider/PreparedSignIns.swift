// SPDX-License-Identifier: Apache-2.0

import JOSE
import LatencyMeasurement
import OpenIDRelyingParty
import Synchronization

/// The users who have signed in at the provider and whose code has not been redeemed yet, each with the complete
/// response to the token request.
///
/// The token is created and signed when the user is at the provider, which counts in no latency; a token request is a
/// lookup.
final class PreparedSignIns: Sendable {
    /// The result of a sign-in at the provider.
    struct Visit: Sendable {
        /// The request target of the callback.
        let target: String
        /// The subject that signed in.
        let subject: String
    }

    private struct Prepared: Sendable {
        let response: [UInt8]
        let challenge: String?
    }

    private struct State: Sendable {
        var number: UInt64 = 0
        var recent: [String: Prepared] = [:]
        var older: [String: Prepared] = [:]
    }

    /// The number of waiting codes at which those twice as old are removed, since they will not be redeemed.
    private static let generation = 32_768
    private static let accessToken = "bench.access-token-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let accessTokenHash = Base64URL.encode(Hash.sha256(accessToken.utf8).prefix(16))

    private let issuers: [String]
    private let signer: TokenSigner
    /// The claims of each issuer's tokens.
    private let claims: [ClaimsText]
    private let announcesIssuer: Bool
    private let seed: UInt64
    /// The suffix of subjects, which have 21 digits like those of Google.
    private let subjectEnd: String
    private let state = Mutex(State())

    init(issuers: [String], signer: TokenSigner, announcesIssuer: Bool) {
        self.issuers = issuers
        self.signer = signer
        self.announcesIssuer = announcesIssuer
        claims = issuers.map { Self.claims(issuer: $0) }
        seed = UInt64.random(in: 0..<1_000_000_000)
        subjectEnd = Self.padded(seed, 9)
    }

    /// Signs a user in: responds to an authorization request with a code.
    ///
    /// - Parameters:
    ///   - location: The authorization request, to which the start redirected.
    ///   - provider: The number of the issuer.
    ///   - spoiling: The error in the ID token; `nil` for none.
    /// - Throws: ``LatencyToolError`` if the request is not valid.
    func visit(_ location: String, provider: Int, spoiling: Spoiling?) throws -> Visit {
        let request = URLParameters(of: location)
        guard let redirectURI = request["redirect_uri"], let appState = request["state"], !redirectURI.isEmpty else {
            throw LatencyToolError("an authorization request without redirect_uri or state")
        }
        guard issuers.indices.contains(provider) else { throw LatencyToolError("no such provider") }
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let subject = "1" + Self.padded(number, 11) + subjectEnd
        let body = try answer(provider: provider, subject: subject, nonce: request["nonce"], spoiling: spoiling)
        let code = "c\(number)-\(seed)"
        let prepared = Prepared(response: body, challenge: request["code_challenge"])
        state.withLock { state in
            if state.recent.count >= Self.generation {
                state.older = state.recent
                state.recent = [:]
            }
            state.recent[code] = prepared
        }
        var target = URLText.requestTarget(of: redirectURI)
        target += target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        target += "code=\(code)&state=\(URLText.percentEncoded(appState))"
        if announcesIssuer { target += "&iss=\(URLText.percentEncoded(issuers[provider]))" }
        return Visit(target: target, subject: subject)
    }

    /// Redeems a code, once; that of a visitor any number of times, with the first issuer.
    ///
    /// - Returns: The body of the response; `nil` if the code is unknown or used, or the verifier does not match (RFC
    ///   7636 section 4.6).
    func redeem(code: String, verifier: String?) -> [UInt8]? {
        if let visitor = VisitorCode(code) { return redeem(visitor, verifier: verifier) }
        let prepared = state.withLock { state in
            state.recent.removeValue(forKey: code) ?? state.older.removeValue(forKey: code)
        }
        guard let prepared else { return nil }
        if let challenge = prepared.challenge, !Self.matches(verifier, challenge) { return nil }
        return prepared.response
    }

    private func redeem(_ visitor: VisitorCode, verifier: String?) -> [UInt8]? {
        guard Self.matches(verifier, visitor.challenge) else { return nil }
        // An address of their own, since two accounts cannot have the same.
        let claims = ClaimsText(
            issuer: issuers[0], audience: ProviderClient.id, accessTokenHash: Self.accessTokenHash,
            email: "\(visitor.subject)@example.com")
        return try? answer(
            claims, subject: visitor.subject, nonce: visitor.nonce.isEmpty ? nil : visitor.nonce, spoiling: nil)
    }

    private static func matches(_ verifier: String?, _ challenge: String) -> Bool {
        verifier.map { Base64URL.encode(Hash.sha256($0.utf8)) == challenge } ?? false
    }

    private func answer(provider: Int, subject: String, nonce: String?, spoiling: Spoiling?) throws -> [UInt8] {
        let claims =
            switch spoiling {
            case .issuer: Self.claims(issuer: issuers[provider] + "-other")
            case .audience: Self.claims(issuer: issuers[provider], audience: "somebody-else")
            default: self.claims[provider]
            }
        return try answer(claims, subject: subject, nonce: nonce, spoiling: spoiling)
    }

    private func answer(
        _ claims: ClaimsText, subject: String, nonce: String?, spoiling: Spoiling?
    ) throws -> [UInt8] {
        let payload = claims.bytes(
            subject: subject, nonce: nonce.map { spoiling == .nonce ? "other" + $0 : $0 },
            issuedAt: SystemUnixClock().now() - (spoiling == .expiry ? 90_000 : 0))
        var token = signer.encodedHeader
        token.append(contentsOf: Base64URL.encode(payload).utf8)
        var signature = try signer.signature(over: token)
        if spoiling == .signature, let last = signature.popLast() { signature.append(last ^ 1) }
        var body = Self.bearerStart
        body.append(contentsOf: token)
        body.append(UInt8(ascii: "."))
        body.append(contentsOf: Base64URL.encode(signature).utf8)
        body.append(contentsOf: "\"}".utf8)
        return body
    }

    /// A response up to the ID token.
    private static func start(tokenType: String) -> [UInt8] {
        Array(
            ("{\"access_token\":\"\(accessToken)\",\"token_type\":\"\(tokenType)\",\"expires_in\":3600,"
                + "\"scope\":\"openid email profile\",\"id_token\":\"").utf8)
    }

    private static let bearerStart = start(tokenType: "Bearer")
    private static let boundStart = start(tokenType: "DPoP")

    /// Changes a response to one with a token that is bound to the key of a proof.
    static func bind(_ response: inout [UInt8]) {
        response.replaceSubrange(..<bearerStart.count, with: boundStart)
    }

    private static func claims(issuer: String, audience: String = ProviderClient.id) -> ClaimsText {
        ClaimsText(issuer: issuer, audience: audience, accessTokenHash: accessTokenHash)
    }

    private static func padded(_ number: UInt64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
