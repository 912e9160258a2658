// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOHTTP1
import OIDCBroker
import OIDCBrokerHTTP

extension HTTPFields {
    /// Creates the fields of an HTTP/1 request that the broker and its handler read. A browser sends about twenty
    /// fields, and converting all of them would cost as much as the rest of the head.
    init(readByBroker headers: HTTPHeaders) {
        self.init()
        for (name, value) in headers { self.append(readByBroker: name, value) }
    }

    /// Appends a field if the broker or its handler reads it.
    mutating func append(readByBroker name: String, _ value: String) {
        guard let known = Self.name(readByBroker: name) else { return }
        self.append(HTTPField(name: known, value: value))
    }

    /// A name to search for, as bytes in lower case.
    private struct KnownName {
        let bytes: [UInt8]
        let name: HTTPField.Name
    }

    /// The names by length, at most a few for each.
    private static let namesReadByBroker: [[KnownName]] = {
        let own: [HTTPField.Name] = [.contentLength, .expect, .transferEncoding, .upgrade]
        let names = (BrokerRequest.readFieldNames + own).map { name in
            KnownName(bytes: Array(name.canonicalName.utf8), name: name)
        }
        let longest = names.map(\.bytes.count).max() ?? 0
        var byLength = [[KnownName]](repeating: [], count: longest + 1)
        for name in names { byLength[name.bytes.count].append(name) }
        return byLength
    }()

    private static func name(readByBroker text: String) -> HTTPField.Name? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count < namesReadByBroker.count else { return nil }
            for known in namesReadByBroker[bytes.count] where isSame(bytes, known.bytes) { return known.name }
            return nil
        }
    }

    /// Whether a name is equal in any case. Bit 5 makes ASCII letters lower case and does not change `-`; decoders
    /// accept only tokens.
    private static func isSame(_ text: UnsafeBufferPointer<UInt8>, _ name: [UInt8]) -> Bool {
        var position = 0
        while position < text.count {
            if text[position] | 0x20 != name[position] { return false }
            position += 1
        }
        return true
    }
}
