// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

extension AuthorizationEndpoint {
    /// Pushes the authorization request (RFC 9126) and redirects the user agent with only a reference to it.
    /// - Parameters:
    ///   - redirect: The response to the app in case of an error.
    ///   - cookies: The cookies of the user agent.
    func push(
        _ start: Start,
        _ provider: ProviderEntry,
        _ metadata: ProviderMetadata,
        _ redirect: any AppErrorResponding,
        cookies: Cookies
    ) -> EventLoopFuture<BrokerResponse> {
        services.clients.run(.pushedStart, for: start.clientAddress, at: provider, on: eventLoop) {
            let departure: Departure
            do throws(AppError) {
                departure = try prepare(start, provider, cookies: cookies)
            } catch {
                return eventLoop.makeSucceededFuture(refuse(error, start.recipient, redirect))
            }
            return provider.relyingParty.authorizationRedirect(
                metadata: metadata, state: departure.state, rawNonce: departure.rawNonce,
                codeChallenge: departure.codeChallenge, additionalScopes: departure.additionalScopes,
                parameters: departure.parameters, on: eventLoop, trace: trace(of: provider)
            ).map { url -> BrokerResponse in
                services.clients.succeeded(.pushedStart, for: start.clientAddress, at: provider)
                var response = depart(start, provider, departure, to: url)
                response.head.headerFields.append(contentsOf: snapshot.cookie.evictions(in: cookies))
                return response
            }.recover { failedPush($0, start, provider, redirect, login: departure.reference) }
        } refusal: {
            let outcome = Outcome.tooManyFromAddress($0)
            let reference = log(outcome, provider, start.recipient)
            return redirect.response(
                AppError("temporarily_unavailable", "Too many sign-ins were tried from the browser's network."),
                reference: reference
            ).noting(outcome.label, reference)
        }
    }

    private func failedPush(
        _ error: any Error, _ start: Start, _ provider: ProviderEntry, _ redirect: any AppErrorResponding,
        login: PageReference
    ) -> BrokerResponse {
        let error = error as? RelyingPartyError ?? .unusable(.pushedAuthorization, "failed")
        services.clients.failed(error, for: start.clientAddress, at: provider)
        let outcome = Outcome(of: error)
        let reference = log(outcome, provider, start.recipient, login: login)
        return redirect.response(
            error.isTemporary
                ? AppError("temporarily_unavailable", "The provider is not available.")
                : AppError("server_error", "The provider did not accept the request."),
            reference: reference
        ).noting(outcome.label, reference)
    }
}
