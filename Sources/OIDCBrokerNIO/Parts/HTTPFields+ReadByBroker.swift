// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOHTTP1
import OIDCBroker

extension HTTPFields {
    /// The fields of an HTTP/1 request that the broker and its handler read. A browser sends twenty; to make each of them
    /// a field, with its name read and put into lower case, costs as much as the rest of the head.
    init(readByBroker headers: HTTPHeaders) {
        self.init()
        for (name, value) in headers {
            guard let known = Self.name(readByBroker: name) else { continue }
            self.append(HTTPField(name: known, value: value))
        }
    }

    /// By length of the name; for each a few at most.
    private static let namesReadByBroker: [[HTTPField.Name]] = {
        let own: [HTTPField.Name] = [.contentLength, .expect, .transferEncoding, .upgrade]
        let names = BrokerRequest.readFieldNames + own
        let longest = names.map(\.canonicalName.utf8.count).max() ?? 0
        var byLength = [[HTTPField.Name]](repeating: [], count: longest + 1)
        for name in names { byLength[name.canonicalName.utf8.count].append(name) }
        return byLength
    }()

    private static func name(readByBroker text: String) -> HTTPField.Name? {
        let count = text.utf8.count
        guard count < namesReadByBroker.count else { return nil }
        // Bit 5 makes ASCII letters lower case and does not change `-`; the decoder lets nothing but tokens through.
        return namesReadByBroker[count].first { name in
            zip(text.utf8, name.canonicalName.utf8).allSatisfy { $0 | 0x20 == $1 }
        }
    }
}
