// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// The error with which a server asks for a nonce in the proof (RFC 9449 sections 8 and 9).
    private static let nonceDemand = "use_dpop_nonce"

    /// The proofs of a request that belongs to no login, such as that of a refresh; `nil` without DPoP.
    func standaloneDPoP() throws(RelyingPartyError) -> DPoPLogin? {
        guard configuration.usesDPoP else { return nil }
        return DPoPLogin(key: try Self.dpopKey(seed: SecureRandom.bytes(32)))
    }

    /// The key of a login whose session keeps a seed.
    static func dpopKey(seed: [UInt8]) throws(RelyingPartyError) -> DPoPKey {
        do {
            return try DPoPKey(seed: seed)
        } catch {
            throw .unusable(.authorization, "the DPoP key cannot be made")
        }
    }

    /// Sends a request with a proof of the login's key, and once more if the server asks for a nonce in it.
    ///
    /// A server that asks for a nonce refused the request before it processed it, so the second one is the first that
    /// counts.
    /// - Parameters:
    ///   - login: The proofs of the login; `nil` without DPoP, where the request is sent as it is.
    ///   - accessToken: The access token that the request carries.
    ///   - send: Sends the request with a proof, and with a client authentication of its own.
    func proving(
        _ login: DPoPLogin?, _ step: RelyingPartyError.Step, method: String, url: AbsoluteURL,
        accessToken: Secret? = nil, _ send: @escaping @Sendable (_ proof: String?) -> Eventual<ProviderResponse>
    ) -> Eventual<ProviderResponse> {
        guard let login else { return send(nil) }
        let origin = url.origin
        let attempt = { @Sendable [self] (nonce: String?) -> Eventual<ProviderResponse> in
            let now = login.now(at: origin, clock)
            guard
                let proof = try? login.key.proof(
                    method: method, url: url, accessToken: accessToken?.exposed, nonce: nonce, now: now)
            else { return .failure(RelyingPartyError.unusable(step, "the DPoP proof cannot be signed")) }
            return send(proof)
        }
        return attempt(dpopNonces.nonce(of: origin)).flatMap { [self] response in
            login.follow(response.date, of: origin, clock, within: clockSkew)
            guard let nonce = dpopNonces.keep(response.dpopNonce, of: origin), Self.demandsNonce(response) else {
                return .value(response)
            }
            return attempt(nonce).flatMapThrowing { [self] second in
                dpopNonces.keep(second.dpopNonce, of: origin)
                login.follow(second.date, of: origin, clock, within: clockSkew)
                return second
            }
        }
    }

    /// Whether a server refused a request because its proof lacks the nonce: in the body at the endpoints of the
    /// authorization server (RFC 9449 section 8), in a challenge at UserInfo (section 9).
    private static func demandsNonce(_ response: ProviderResponse) -> Bool {
        guard response.status == 400 || response.status == 401 else { return false }
        if let challenge = response.challenge, challenge.utf8.contains(nonceDemand.utf8) { return true }
        return RevocationRequest.refusal(json: Array(response.body.readableBytesView))?.code == nonceDemand
    }
}
