// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

/// A credential on its way to its app: the record, and where the browser takes the code.
struct HandOffDelivery {
    let record: HandOffRecord
    let redirectURI: RedirectURI
    let appState: String?
    let issuer: String

    /// Issues the one-time code and sends the browser to the app with it; nil where the store did not take it.
    func issue(_ services: BrokerServices, on eventLoop: any EventLoop) -> EventLoopFuture<BrokerResponse?> {
        let handOff = HandOff()
        guard let sealed = handOff.seal(record) else { return eventLoop.makeSucceededFuture(nil) }
        let redirect = AppRedirect(redirectURI: redirectURI, state: appState, issuer: issuer)
        let now = services.clock.now()
        return services.store.insertIfAbsent(
            handOff.key, value: sealed, expiry: now + HandOff.lifetime, now: now, on: eventLoop
        ).map { insertion in
            insertion == .inserted ? redirect.response(code: handOff.code) : nil
        }
    }

    /// The same without a future where the store needs none.
    /// - Parameter answer: makes the answer of what ``issue(_:on:)`` gives; nil also where the store fails.
    func issue(
        _ services: BrokerServices, on eventLoop: any EventLoop,
        _ answer: @escaping @Sendable (BrokerResponse?) -> BrokerResponse
    ) -> BrokerAnswer {
        let handOff = HandOff()
        guard let sealed = handOff.seal(record) else { return .now(answer(nil)) }
        let redirect = AppRedirect(redirectURI: redirectURI, state: appState, issuer: issuer)
        let now = services.clock.now()
        switch services.insertIfAbsent(
            handOff.key, value: sealed, expiry: now + HandOff.lifetime, now: now, on: eventLoop)
        {
        case .now(let insertion):
            return .now(answer(insertion == .inserted ? redirect.response(code: handOff.code) : nil))
        case .later(let insertion):
            return .later(
                insertion.map { answer($0 == .inserted ? redirect.response(code: handOff.code) : nil) }
                    .recover { _ in answer(nil) })
        }
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(long: record.encoded)
        writer.write(UInt8(appState == nil ? 0 : 1))
        writer.write(counted: (appState ?? "").utf8)
        return writer.bytes
    }

    init(record: HandOffRecord, redirectURI: RedirectURI, appState: String?, issuer: String) {
        self.record = record
        self.redirectURI = redirectURI
        self.appState = appState
        self.issuer = issuer
    }

    init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let record = reader.readLong().flatMap(HandOffRecord.init), let hasState = reader.readByte(),
            let state = reader.readCountedString(), reader.isAtEnd, let redirectURI = RedirectURI(record.redirectURI)
        else { return nil }
        self.init(
            record: record, redirectURI: redirectURI, appState: hasState == 1 ? state : nil, issuer: record.issuer)
    }
}
