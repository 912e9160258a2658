// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

extension AuthorizationEndpoint {
    /// Pushes the authorization request (RFC 9126) and redirects the user agent with only a reference to it.
    /// - Parameters:
    ///   - redirect: The response to the app in case of an error.
    ///   - fields: Additional header fields of the redirect to the provider.
    func push(
        _ start: Start,
        _ provider: ProviderEntry,
        _ metadata: ProviderMetadata,
        _ redirect: any AppErrorResponding,
        fields: [HTTPField]
    ) -> EventLoopFuture<BrokerResponse> {
        guard let address = start.clientAddress else {
            return pushUnbounded(start, provider, metadata, redirect, fields: fields)
        }
        return services.clients.run(.pushedStart, for: address, at: provider, on: eventLoop) {
            pushUnbounded(start, provider, metadata, redirect, fields: fields)
        } refusal: {
            let reference = log(.tooManyFromAddress($0), provider, start.app)
            return redirect.response(
                AppError("temporarily_unavailable", "Too many sign-ins were tried from the browser's network."),
                reference: reference)
        }
    }

    private func pushUnbounded(
        _ start: Start,
        _ provider: ProviderEntry,
        _ metadata: ProviderMetadata,
        _ redirect: any AppErrorResponding,
        fields: [HTTPField]
    ) -> EventLoopFuture<BrokerResponse> {
        let departure: Departure
        do throws(AppError) {
            departure = try prepare(start, provider)
        } catch {
            return eventLoop.makeSucceededFuture(redirect.response(error))
        }
        return provider.relyingParty.authorizationRedirect(
            metadata: metadata, state: departure.state, rawNonce: departure.rawNonce,
            codeChallenge: departure.codeChallenge, additionalScopes: departure.additionalScopes,
            parameters: departure.parameters, on: eventLoop
        ).map { url -> BrokerResponse in
            services.clients.succeeded(.pushedStart, for: start.clientAddress, at: provider)
            var response = depart(start, provider, departure, to: url)
            response.head.headerFields.append(contentsOf: fields)
            return response
        }.recover { error -> BrokerResponse in
            let error = error as? RelyingPartyError ?? .unusable(.pushedAuthorization, "failed")
            services.clients.failed(error, for: start.clientAddress, at: provider)
            let outcome = error.isTemporary ? Outcome.providerUnavailable(error) : .failed(error)
            let reference = log(outcome, provider, start.app)
            return redirect.response(
                error.isTemporary
                    ? AppError("temporarily_unavailable", "The provider is not available.")
                    : AppError("server_error", "The provider did not accept the request."),
                reference: reference)
        }
    }
}
