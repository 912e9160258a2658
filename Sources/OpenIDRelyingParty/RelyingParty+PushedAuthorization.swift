// SPDX-License-Identifier: Apache-2.0

import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Whether the authorization request is pushed (RFC 9126), because the provider requires it or the configuration
    /// asks for it.
    package func pushes(_ metadata: ProviderMetadata) -> Bool {
        configuration.pushedAuthorization || configuration.isFAPI || metadata.requiresPushedAuthorization
    }

    /// Returns the authorization URL, after pushing the request if ``pushes(_:)`` is `true`. Otherwise it is there at once:
    /// with the request as a request object where it is signed, or else the result of `authorizationURL`.
    ///
    /// The parameters of a pushed request do not appear in the URL: the user agent carries the client ID and a
    /// reference. The request is pushed once.
    /// - Returns: The URL. It fails with ``RelyingPartyError``, of the step
    ///   ``RelyingPartyError/Step/pushedAuthorization`` if the request is pushed.
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
        return Eventual(catching: {
            let endpoint = try usedAuthorizationEndpoint(of: metadata)
            guard signsRequest(metadata) else { return request.url(endpoint: endpoint) }
            return request.url(
                endpoint: endpoint, requestObject: try requestObject(of: request, metadata, .authorization))
        })
    }

    /// Pushes a request.
    /// - Returns: The URL with the reference to it.
    func push(
        _ request: AuthorizationRequest, _ metadata: ProviderMetadata, dpop: DPoPLogin?, in scope: RequestScope
    ) -> Eventual<String> {
        let endpoint: AbsoluteURL
        var form = request.pairs
        do throws(RelyingPartyError) {
            endpoint = try usedAuthorizationEndpoint(of: metadata)
            // Only the client authentication is beside a request object (RFC 9126 section 3).
            if signsRequest(metadata) {
                form = [("request", try requestObject(of: request, metadata, .pushedAuthorization))]
            }
        } catch {
            return .failure(error)
        }
        return post(
            form, to: .pushedAuthorization, .pushedAuthorization, metadata, dpop: dpop,
            maximumBytes: PushedAuthorizationResponse.maximumBytes, in: scope
        ).flatMapThrowing { [self, form] received in
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
                throw advised(explained(failure, by: received, sent: request.pairs + form), metadata)
            }
            return AuthorizationRequest.url(
                endpoint: endpoint, clientID: configuration.clientID, requestURI: response.requestURI)
        }
    }
}
