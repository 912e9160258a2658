// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOHTTP1
import OIDCBroker

extension HTTPFields {
    /// The fields of an HTTP/1 request that the broker and its handler read. A browser sends twenty; to make each of them
    /// a field, with its name read and put into lower case, costs as much as the rest of the head.
    init(readByBroker headers: HTTPHeaders) {
        self.init()
        for (name, value) in headers { self.append(readByBroker: name, value) }
    }

    /// Appends a field if the broker or its handler reads it.
    mutating func append(readByBroker name: String, _ value: String) {
        guard let known = Self.name(readByBroker: name) else { return }
        self.append(HTTPField(name: known, value: value))
    }

    /// A name as it is searched for: its bytes, in lower case.
    private struct KnownName {
        let bytes: [UInt8]
        let name: HTTPField.Name
    }

    /// By length of the name; for each a few at most.
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

    /// Bit 5 makes ASCII letters lower case and does not change `-`; decoders let nothing but tokens through.
    private static func isSame(_ text: UnsafeBufferPointer<UInt8>, _ name: [UInt8]) -> Bool {
        var position = 0
        while position < text.count {
            if text[position] | 0x20 != name[position] { return false }
            position += 1
        }
        return true
    }
}
