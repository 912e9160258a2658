// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty
import SingleUse

extension HandOffDelivery {
    /// The result of issuing a code: the redirect to the app, or the reason why the store did not accept the record.
    typealias Issue = Result<BrokerResponse, Refusal>

    /// The reason why the store did not accept a record.
    enum Refusal: Error {
        /// The store is full or unavailable.
        case unavailable
        /// The limit for one user is reached.
        case tooManyOfOwner
        /// The limit for one provider is reached.
        case tooManyOfProvider

        var outcome: Outcome {
            switch self {
            case .unavailable: .storeUnavailable
            case .tooManyOfOwner: .tooManyHandOffs
            case .tooManyOfProvider: .tooManyOfProvider
            }
        }

        /// Creates a reason; `nil` if the record was accepted.
        init?(_ put: SingleUsePut) {
            switch put {
            case .stored: return nil
            case .tooManyOfOwner: self = .tooManyOfOwner
            case .tooManyOfProvider: self = .tooManyOfProvider
            default: self = .unavailable
            }
        }
    }

    /// Issues the hand-off code and redirects the user agent to the app with it. There is no future if the store needs
    /// none.
    /// - Parameter respond: Creates the response from the result. Errors of the store are results too.
    func issue(
        in context: RequestContext, _ respond: @escaping @Sendable (Issue) -> BrokerResponse
    ) -> Eventual<BrokerResponse> {
        let handOff = HandOff()
        guard let sealed = handOff.seal(record) else { return .value(respond(.failure(.unavailable))) }
        return context.store.put(
            handOff.key, value: sealed, owner: owner, seconds: HandOff.lifetime, on: context.eventLoop
        ).flatMapThrowing { put in
            respond(Refusal(put).map { .failure($0) } ?? .success(redirect(in: context).response(code: handOff.code)))
        }.recover { _ in respond(.failure(.unavailable)) }
    }

    /// The response to the app.
    func redirect(in context: RequestContext) -> AppRedirect {
        AppRedirect(destination: destination, context: context)
    }
}
