// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The error of a DPoP proof (RFC 9449 sections 5 and 8).
struct DPoPRefusal: Error {
    let code: String
    let reason: String

    /// A proof that is not valid.
    static func invalid(_ reason: String) -> DPoPRefusal { DPoPRefusal(code: "invalid_dpop_proof", reason: reason) }

    /// A demand for a nonce, which is no violation: a client cannot know the first one.
    static let nonce = DPoPRefusal(code: "use_dpop_nonce", reason: "")
}

extension ProviderState {
    /// How far `iat` of a proof may be from this clock, in seconds: before it, and after it.
    private static var proofAge: (before: Int64, after: Int64) { (30, 2) }

    /// Checks the proof of a request, in every point of RFC 9449 section 4.3.
    /// - Parameter accessToken: The token that the request carries.
    /// - Returns: The thumbprint of the key of the proof; `nil` if there is no proof.
    mutating func dpopThumbprint(
        of request: ReceivedRequest, at endpoint: ProviderEndpoint, accessToken: String? = nil
    ) throws(DPoPRefusal) -> String? {
        guard request.headers.contains(where: { $0.name == "dpop" }) else { return nil }
        guard let text = request.header("dpop") else { throw .invalid("there are several proofs") }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(Array(parts[0].utf8)),
            let header = try? JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 4096)),
            header["typ"] == "dpop+jwt", header["alg"] == "ES256",
            let jwk = header["jwk"]?.objectValue, jwk["d"] == nil,
            let thumbprint = JSONWebKeyThumbprint.sha256(of: jwk),
            let keys = try? KeySet(json: (["keys": .array([.object(jwk)])] as JSONObject).serialized()),
            let claims = try? JSONWebSignature(compact: text).verified(by: keys, algorithms: [.es256]).claims
        else { throw .invalid("the proof is not signed by the key in it") }
        guard claims["htm"]?.text?.hasSameBytes(as: request.method) == true else {
            throw .invalid("htm is another method")
        }
        let own = innerOrigin ?? issuer
        let origin = request.clientCertificate == nil ? own : mutualTLSOrigin ?? own
        guard let url = claims["htu"]?.text.flatMap({ NormalizedURL($0.makeString()) }),
            url == NormalizedURL(origin + path(of: endpoint))
        else { throw .invalid("htu is another URL") }
        let hash = accessToken.map { Base64URL.encode(Hash.sha256($0.utf8)) }
        guard claims["ath"]?.text?.makeString() == hash else { throw .invalid("ath is of another token") }
        guard let time = claims["iat"]?.secondsValue, time >= now - Self.proofAge.before,
            time <= now + Self.proofAge.after
        else { throw .invalid("iat is not near the time") }
        guard let id = claims["jti"]?.text?.makeString(), proofIDs.value(for: id, now: now) == nil else {
            throw .invalid("the proof was used before")
        }
        proofIDs.insert(true, for: id, expiry: now + 300, now: now)
        guard claims["nonce"]?.text?.makeString() == dpopNonce(at: endpoint) else { throw .nonce }
        return thumbprint
    }

    /// The thumbprint of the key that the tokens of a client are bound to; `nil` for a client without DPoP.
    mutating func boundKey(
        of client: OpenIDProvider.Client, _ request: ReceivedRequest, at endpoint: ProviderEndpoint
    ) throws(TokenRefusal) -> String? {
        do throws(DPoPRefusal) {
            let thumbprint = try dpopThumbprint(of: request, at: endpoint)
            guard thumbprint != nil || client.tokenBinding != .dpop || endpoint == .pushedAuthorization else {
                throw .invalid("there is no proof")
            }
            return thumbprint
        } catch {
            throw TokenRefusal(
                response: withNonce(.error(error.code, "the proof was refused")),
                reason: error.reason.isEmpty ? nil : error.reason)
        }
    }

    /// The nonce of an endpoint, which at UserInfo may be another one (RFC 9449 section 9).
    private func dpopNonce(at endpoint: ProviderEndpoint) -> String? {
        misbehavior == .oddChallengeCase && endpoint == .userInfo ? dpopNonce.map { "resource-" + $0 } : dpopNonce
    }

    /// A response with the nonce for the next proof.
    func withNonce(_ response: SentResponse, at endpoint: ProviderEndpoint = .token) -> SentResponse {
        guard let dpopNonce = dpopNonce(at: endpoint) else { return response }
        var response = response
        response.headers.append(("dpop-nonce", dpopNonce))
        return response
    }
}
