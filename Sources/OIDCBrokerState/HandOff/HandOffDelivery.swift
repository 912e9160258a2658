// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerConfiguration
import OIDCBrokerPages
import OpenIDConnect
package import SingleUse

/// A credential on its way to an app: the record, and the redirect that delivers the code.
package struct HandOffDelivery {
    /// The record of the code.
    package let record: HandOffRecord
    /// Where the code goes.
    package let destination: AppDestination
    /// The owner of the record.
    package let owner: SingleUseOwner

    /// Creates a delivery.
    package init(record: HandOffRecord, destination: AppDestination, owner: SingleUseOwner) {
        self.record = record
        self.destination = destination
        self.owner = owner
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
    /// Reads what `encoded` wrote; `nil` if it did not write this.
    package init?(encoded: [UInt8]) {
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
