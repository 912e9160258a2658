// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import SwiftASN1

extension ProviderState {
    /// The maximum lifetime of an assertion, in seconds.
    private static var assertionLifetime: Int64 { 300 }
    /// The tolerance for a client's clock that is ahead, in seconds.
    private static var assertionSkew: Int64 { 10 }

    /// Returns the form of a request and the authenticated client that sent it.
    mutating func authenticatedForm(
        _ request: ReceivedRequest
    ) throws(TokenRefusal) -> (form: Parameters, client: OpenIDProvider.Client) {
        guard let form = request.form else { throw .invalidRequest("the body is not a form") }
        var names: Set<String> = []
        for pair in form.strings where pair.name != "resource" && !names.insert(pair.name).inserted {
            throw .invalidRequest("a parameter stands there twice")
        }
        return (form, try client(provedBy: PresentedCredentials(request, form), request))
    }

    private mutating func client(
        provedBy credentials: PresentedCredentials, _ request: ReceivedRequest
    ) throws(TokenRefusal) -> OpenIDProvider.Client {
        let clients = configuration.clients
        guard let client = clients.first(where: { $0.id.hasSameBytes(as: credentials.clientID) }) else {
            throw .invalidClient("there is no such client")
        }
        switch credentials.proof {
        case .none:
            if client.usesMutualTLS {
                try Self.validateCertificate(of: request, client)
            } else {
                guard client.isPublic else { throw .invalidClient("the client does not authenticate") }
            }
        case .basic(let secret):
            try Self.validate(secret, by: .clientSecretBasic, of: client)
        case .post(let secret):
            try Self.validate(secret, by: .clientSecretPost, of: client)
        case .assertion(let assertion):
            try validate(assertion: assertion, of: client)
        }
        return client
    }

    private static func validate(
        _ secret: String, by method: ClientAuthenticationMethod, of client: OpenIDProvider.Client
    ) throws(TokenRefusal) {
        guard client.authentication == nil || client.authentication == method else {
            throw .invalidClient("\(method.name) is not the client's registered method")
        }
        guard let registered = client.secret, ConstantTime.equal(registered, secret) else {
            throw .invalidClient("the secret is wrong")
        }
    }

    /// Checks that the certificate of the connection is that of the client (RFC 8705 sections 2.1 and 2.2).
    private static func validateCertificate(
        of request: ReceivedRequest, _ client: OpenIDProvider.Client
    ) throws(TokenRefusal) {
        guard let shown = request.clientCertificate else {
            throw .invalidClient("the client came without its certificate")
        }
        guard let pem = client.certificatePEM, let registered = try? PEMDocument(pemString: pem),
            registered.derBytes == shown
        else { throw .invalidClient("the certificate is not the client's") }
    }

    /// Validates an assertion (RFC 7523 section 3). Its audience must be a string with only the issuer, as RFC 10070
    /// and FAPI 2.0 require.
    private mutating func validate(assertion: String, of client: OpenIDProvider.Client) throws(TokenRefusal) {
        let claims = try Self.verified(assertion, of: client).claims
        guard claims["iss"]?.text?.hasSameBytes(as: client.id) == true,
            claims["sub"]?.text?.hasSameBytes(as: client.id) == true
        else { throw .invalidClient("'iss' and 'sub' of the assertion are not the client") }
        guard claims["aud"]?.text?.hasSameBytes(as: issuer) == true else {
            throw .invalidClient("'aud' of the assertion is not the issuer, as a text")
        }
        let now = now
        guard let expiry = claims["exp"]?.secondsValue, expiry > now, expiry - now <= Self.assertionLifetime
        else {
            throw .invalidClient("'exp' of the assertion is not within \(Self.assertionLifetime) s")
        }
        for name in ["iat", "nbf"] {
            guard let value = claims[name] else { continue }
            guard let seconds = value.secondsValue, seconds <= now + Self.assertionSkew else {
                throw .invalidClient("'\(name)' of the assertion is not a time in the past")
            }
        }
        guard let id = claims["jti"]?.text?.makeString(), !id.isEmpty else {
            throw .invalidClient("the assertion has no 'jti'")
        }
        guard assertionIDs.value(for: id, now: now) == nil else {
            throw .invalidClient("the assertion was used before")
        }
        assertionIDs.insert(true, for: id, expiry: expiry, now: now)
    }

    private static func verified(
        _ assertion: String, of client: OpenIDProvider.Client
    ) throws(TokenRefusal) -> VerifiedPayload {
        let signature: JSONWebSignature
        do {
            signature = try JSONWebSignature(compact: assertion)
        } catch { throw .invalidClient("the assertion is not a signed token: \(error)") }
        do {
            if client.authentication == .clientSecretJWT {
                guard let secret = client.secret.flatMap({ SharedSecretKey(Array($0.utf8)) }) else {
                    throw TokenRefusal.invalidClient("the client has no secret to sign with")
                }
                return try signature.verified(by: secret, algorithms: [.hs256, .hs384, .hs512])
            }
            guard client.authentication == .privateKeyJWT, let keySet = client.keySet else {
                throw TokenRefusal.invalidClient("an assertion is not the client's registered method")
            }
            return try signature.verified(
                by: try KeySet(json: Array(keySet.utf8)), algorithms: JSONWebAlgorithm.asymmetric)
        } catch let refusal as TokenRefusal {
            throw refusal
        } catch {
            throw .invalidClient("the assertion is not signed by the client: \(error)")
        }
    }
}
