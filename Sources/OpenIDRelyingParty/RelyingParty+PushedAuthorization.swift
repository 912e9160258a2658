// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Whether the authorization request is pushed (RFC 9126): the provider requires it, or the configuration says so.
    package func pushes(_ metadata: ProviderMetadata) -> Bool {
        configuration.pushesAuthorization || metadata.requiresPushedAuthorization
    }

    /// The URL a browser is sent to, the request pushed first where ``pushes(_:)`` says so; otherwise exactly what
    /// `authorizationURL` gives, at once.
    ///
    /// A request that was pushed stands in no URL: the browser carries the client's id and a reference. It is sent once.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``, of the step
    ///   ``RelyingPartyError/Step/pushedAuthorization``.
    package func authorizationRedirect(
        metadata: ProviderMetadata,
        state: String,
        rawNonce: String,
        codeChallenge: String,
        additionalScopes: [String] = [],
        parameters: [(name: String, value: String)] = [],
        deadline: NIODeadline = .now() + RelyingParty.callbackTimeout,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<String> {
        let request = authorizationRequest(
            state: state, rawNonce: rawNonce, codeChallenge: codeChallenge, additionalScopes: additionalScopes,
            parameters: parameters)
        guard pushes(metadata) else {
            return eventLoop.makeSucceededFuture(request.url(endpoint: metadata.authorizationEndpoint))
        }
        return post(
            request.pairs, to: .pushedAuthorization, .pushedAuthorization, metadata,
            maximumBytes: PushedAuthorizationResponse.maximumBytes, deadline: deadline, on: eventLoop
        ).flatMapThrowing { [self] received in
            let response: PushedAuthorizationResponse
            do throws(PushedAuthorizationError) {
                response = try PushedAuthorizationResponse(
                    status: received.status, json: Array(received.body.readableBytesView))
            } catch {
                if let refusal = error.providerError { throw RelyingPartyError.provider(.pushedAuthorization, refusal) }
                if let status = error.status { throw RelyingPartyError.status(.pushedAuthorization, status) }
                throw RelyingPartyError.unusable(.pushedAuthorization, "\(error)")
            }
            return AuthorizationRequest.url(
                endpoint: metadata.authorizationEndpoint, clientID: configuration.clientID,
                requestURI: response.requestURI)
        }
    }
}
