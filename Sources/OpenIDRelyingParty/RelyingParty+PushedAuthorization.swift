// SPDX-License-Identifier: Apache-2.0

import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Whether the authorization request is pushed (RFC 9126), because the provider requires it or the configuration
    /// asks for it.
    package func pushes(_ metadata: ProviderMetadata) -> Bool {
        configuration.pushedAuthorization || configuration.isFAPI || metadata.requiresPushedAuthorization
    }

    /// Returns the authorization URL, after pushing the request if ``pushes(_:)`` is `true`. Otherwise it is the result
    /// of `authorizationURL`, at once.
    ///
    /// The parameters of a pushed request do not appear in the URL: the user agent carries the client ID and a
    /// reference. The request is pushed once.
    /// - Returns: The URL. It fails with ``RelyingPartyError`` of the step
    ///   ``RelyingPartyError/Step/pushedAuthorization``.
    package func authorizationRedirect(
        metadata: ProviderMetadata,
        state: String,
        rawNonce: String,
        codeChallenge: String,
        additionalScopes: [String] = [],
        parameters: [(name: String, value: String)] = [],
        dpop: DPoPLogin? = nil,
        in scope: RequestScope
    ) -> Eventual<String> {
        let request = authorizationRequest(
            state: state, rawNonce: rawNonce, codeChallenge: codeChallenge, additionalScopes: additionalScopes,
            parameters: parameters, dpop: dpop)
        guard !pushes(metadata) else { return push(request, metadata, dpop: dpop, in: scope) }
        return Eventual(catching: { request.url(endpoint: try usedAuthorizationEndpoint(of: metadata)) })
    }

    /// Pushes a request.
    /// - Returns: The URL with the reference to it.
    func push(
        _ request: AuthorizationRequest, _ metadata: ProviderMetadata, dpop: DPoPLogin?, in scope: RequestScope
    ) -> Eventual<String> {
        let endpoint: AbsoluteURL
        do {
            endpoint = try usedAuthorizationEndpoint(of: metadata)
        } catch {
            return .failure(error)
        }
        return post(
            request.pairs, to: .pushedAuthorization, .pushedAuthorization, metadata, dpop: dpop,
            maximumBytes: PushedAuthorizationResponse.maximumBytes, in: scope
        ).flatMapThrowing { [self] received in
            let response: PushedAuthorizationResponse
            do throws(PushedAuthorizationError) {
                response = try PushedAuthorizationResponse(
                    status: received.status, json: Array(received.body.readableBytesView))
            } catch {
                let failure: RelyingPartyError =
                    if let refusal = error.providerError {
                        .provider(.pushedAuthorization, refusal)
                    } else if let status = error.status {
                        .status(.pushedAuthorization, status)
                    } else {
                        .unusable(.pushedAuthorization, "\(error)")
                    }
                throw advised(explained(failure, by: received, sent: request.pairs), metadata)
            }
            return AuthorizationRequest.url(
                endpoint: endpoint, clientID: configuration.clientID, requestURI: response.requestURI)
        }
    }
}
