// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse

/// A credential on its way to an app: the record, and the redirect that delivers the code.
struct HandOffDelivery {
    let record: HandOffRecord
    let destination: AppDestination
    /// The owner of the record.
    let owner: SingleUseOwner

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

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(long: record.encoded)
        writer.write(raw: owner.person.bytes)
        writer.write(counted: owner.app?.bytes ?? [])
        writer.write(counted: owner.provider?.bytes ?? [])
        writer.write(UInt8(destination.state == nil ? 0 : 1))
        writer.write(counted: (destination.state ?? "").utf8)
        writer.write(counted: destination.responseMode.name.utf8)
        writer.write(destination.language.encoded)
        return writer.bytes
    }
}

extension HandOffDelivery {
    init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let record = reader.readLong().flatMap(HandOffRecord.init), let person = reader.read(32),
            let app = reader.readCounted(), app.isEmpty || app.count == 32,
            let provider = reader.readCounted(), provider.isEmpty || provider.count == 32,
            let hasState = reader.readByte(),
            let state = reader.readCountedString(),
            let responseMode = reader.readCountedString().flatMap({ ResponseMode(name: $0) }),
            let language = reader.readByte(), reader.isAtEnd,
            let redirectURI = RedirectURI(record.redirectURI)
        else { return nil }
        self.init(
            record: record,
            destination: AppDestination(
                redirectURI: redirectURI, state: hasState == 1 ? state : nil, responseMode: responseMode,
                issuer: record.issuer, language: Language(rawValue: language)),
            owner: SingleUseOwner(
                person: SingleUseKey(bytes: person), app: app.isEmpty ? nil : SingleUseKey(bytes: app),
                provider: provider.isEmpty ? nil : SingleUseKey(bytes: provider)))
    }
}
