// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore
package import OpenIDConnect

/// Requests for a diagnosis. They use nothing up and create nothing at a provider.
extension RelyingParty {
    /// Fetches the keys that the provider publishes. The future fails with ``RelyingPartyError``.
    package func publishedKeys(_ metadata: ProviderMetadata, on eventLoop: any EventLoop) -> EventLoopFuture<KeySet> {
        keySet(
            containing: nil, metadata: metadata,
            in: RequestScope(on: eventLoop, deadline: .now() + Self.requestTimeout)
        ).future(on: eventLoop)
    }

    /// The name of the client authentication method that requests to the token endpoint have; `nil` if there is none.
    package func clientAuthenticationName(_ metadata: ProviderMetadata) -> String? {
        (try? clientAuthenticationMethod(metadata, .token))?.name
    }

    /// Returns the URL to which token requests go, which is the alias for mutual TLS if there is one and the client shows
    /// its certificate (RFC 8705 section 5), and whether the certificate is shown there; `nil` if there is none.
    package func tokenEndpoint(_ metadata: ProviderMetadata) -> (url: AbsoluteURL, showsCertificate: Bool)? {
        let isMutualTLS = showsCertificate(metadata)
        return (try? metadata.required(.token, isMutualTLS: isMutualTLS)).map { ($0, isMutualTLS) }
    }

    /// Finds out whether the provider accepts this client: sends a token request with a random code of 256 bits, which the
    /// provider cannot have issued, authenticated as every other request.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``: if the provider cannot be asked,
    ///   and if there is no credential to authenticate with, in which case nothing was sent.
    package func probeClient(
        _ metadata: ProviderMetadata, on eventLoop: any EventLoop
    ) -> EventLoopFuture<ClientProbe> {
        let form = [
            ("grant_type", "authorization_code"), ("code", Base64URL.encode(SecureRandom.bytes(32))),
            ("redirect_uri", configuration.redirectURI),
            ("code_verifier", CodeVerifier(bytes: SecureRandom.bytes(32)).value),
        ]
        let response = Eventual(catching: { try standaloneDPoP() }).flatMap { [self] dpop in
            post(
                form, to: .token, .token, metadata, dpop: dpop, maximumBytes: TokenResponse.maximumBytes,
                in: RequestScope(on: eventLoop, deadline: .now() + Self.requestTimeout))
        }
        return response.flatMapThrowing { [self] response in
            // A response with a temporary status says nothing about the client, whatever its body is.
            guard response.status < 500, response.status != 429 else {
                throw RelyingPartyError.status(.token, response.status)
            }
            return ClientProbe(status: response.status, json: Array(response.body.readableBytesView)) { error in
                shown(error.errorDescription, sent: form)
            }
        }.future(on: eventLoop)
    }

    /// Pushes an authorization request that no browser opens, which the provider forgets after its lifetime. It tells what
    /// the provider thinks of the client, the redirect URI, the scopes and the modes.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``.
    package func probePush(_ metadata: ProviderMetadata, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        return Eventual(catching: { try standaloneDPoP() }).flatMap { [self] dpop in
            let request = authorizationRequest(
                state: Base64URL.encode(SecureRandom.bytes(24)), rawNonce: Base64URL.encode(SecureRandom.bytes(24)),
                codeChallenge: CodeVerifier(bytes: SecureRandom.bytes(32)).challenge, additionalScopes: [],
                parameters: [], dpop: dpop)
            return push(
                request, metadata, dpop: dpop,
                in: RequestScope(on: eventLoop, deadline: .now() + Self.requestTimeout))
        }.flatMapThrowing { _ in }.future(on: eventLoop)
    }
}
