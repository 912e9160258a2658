// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// Request objects (RFC 9101).
extension ProviderState {
    /// The maximum time until a request object expires, in seconds.
    private static var requestObjectLifetime: Int64 { 600 }
    /// The tolerance for a client's clock that is ahead, in seconds.
    private static var requestObjectSkew: Int64 { 10 }
    /// The parameters that may be beside a request object (OpenID Connect Core 1.0 section 6.1).
    private static var namesBeside: Set<String> { ["client_id", "request", "response_type", "scope"] }

    /// Returns the parameters of an authorization request: those of its request object if it has one that this provider
    /// takes, and its own otherwise.
    /// - Parameter isPushed: Whether nothing but the client may be named beside the request object (RFC 9126 section 3).
    func parameters(signedIn request: Parameters, isPushed: Bool) throws(AuthorizationRefusal) -> Parameters {
        func only(_ name: String) -> String? {
            let found = request.strings.filter { $0.name == name && !$0.value.isEmpty }
            return found.count == 1 ? found[0].value : nil
        }
        func refuse(_ reason: String) -> AuthorizationRefusal { .page("The request object is refused: \(reason).") }
        guard let object = only("request"), let id = only("client_id"),
            let client = configuration.clients.first(where: { $0.id.hasSameBytes(as: id) }),
            let keySet = client.keySet
        else { return request }
        let claims: JSONObject
        do {
            let signature = try JSONWebSignature(compact: object)
            guard signature.type?.hasSameBytes(as: "oauth-authz-req+jwt") == true else {
                throw refuse("typ is another")
            }
            claims = try signature.verified(
                by: try KeySet(json: Array(keySet.utf8)), algorithms: JSONWebAlgorithm.asymmetric
            ).claims
        } catch let refusal as AuthorizationRefusal {
            throw refusal
        } catch {
            throw refuse("it is not signed by the client")
        }
        if let reason = problem(claims, of: client) { throw refuse(reason) }
        let signed = Parameters(claims.members.flatMap { Self.parameters($0.name.makeString(), $0.value) })
        let beside = request.strings.filter { !$0.value.isEmpty }
        let allowed = isPushed ? ["client_id", "request"] : Self.namesBeside
        guard beside.allSatisfy({ allowed.contains($0.name) }) else { throw refuse("parameters stand beside it") }
        for name in allowed where name != "request" {
            guard let value = only(name), signed.strings.contains(where: { $0 == (name: name, value: value) }) else {
                throw refuse("\(name) beside it is missing or another")
            }
        }
        return signed
    }

    /// What is wrong with the claims of a request object; `nil` if nothing is.
    private func problem(_ claims: JSONObject, of client: OpenIDProvider.Client) -> String? {
        let now = now
        func isClient(_ name: String) -> Bool { claims[name]?.text?.hasSameBytes(as: client.id) == true }
        guard isClient("iss"), isClient("client_id") else { return "'iss' or 'client_id' is not the client" }
        guard claims["aud"]?.text?.hasSameBytes(as: issuer) == true else {
            return "'aud' is not the issuer, as a text"
        }
        guard let expiry = claims["exp"]?.secondsValue, expiry > now, expiry - now <= Self.requestObjectLifetime else {
            return "'exp' is not within \(Self.requestObjectLifetime) s"
        }
        guard let start = claims["nbf"]?.secondsValue, start <= now + Self.requestObjectSkew,
            now - start <= Self.requestObjectLifetime
        else { return "'nbf' is not near the time" }
        // RFC 9101 sections 4 and 10.8.
        guard ["request", "request_uri", "sub"].allSatisfy({ claims[$0] == nil }) else {
            return "it has a claim that is not for it"
        }
        return nil
    }

    /// The parameters that a claim stands for; none for those of the JWT itself.
    private static func parameters(_ name: String, _ value: JSONValue) -> [(name: String, value: String)] {
        guard !["iss", "aud", "exp", "nbf", "iat", "jti"].contains(name) else { return [] }
        switch value {
        case .text(let text): return [(name: name, value: text.makeString())]
        case .array(let several): return several.flatMap { parameters(name, $0) }
        case .object(let object): return [(name: name, value: String(decoding: object.serialized(), as: UTF8.self))]
        default: return value.integerValue.map { [(name: name, value: String($0))] } ?? []
        }
    }
}
