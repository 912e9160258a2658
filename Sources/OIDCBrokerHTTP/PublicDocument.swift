// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
package import NIOCore

/// A document that any web page may read without credentials and caches may keep, with the validator of its content (RFC
/// 9110 section 8.8.3).
package struct PublicDocument: Sendable {
    /// The maximum length of an `If-None-Match` that is read, in bytes. With a longer one the document is sent.
    package static let maximumConditionLength = 1024

    /// The content.
    package let body: ByteBuffer
    /// The validator: the hash of the content, quoted.
    package let entityTag: String

    /// Creates a document.
    package init(_ body: ByteBuffer) {
        self.body = body
        entityTag = "\"" + Base64URL.encode(Hash.sha256(body.readableBytesView)[..<16]) + "\""
    }

    /// Whether a cache already has this content, as the condition of its request says (RFC 9110 section 13.1.2). Tags are
    /// compared weakly, since a proxy that compresses makes them weak.
    func isKnown(to fields: HTTPFields) -> Bool {
        guard let condition = fields[.ifNoneMatch], condition.utf8.count <= Self.maximumConditionLength else {
            return false
        }
        return condition.utf8.split(separator: UInt8(ascii: ",")).contains { part in
            var tag = part.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            while let last = tag.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { tag.removeLast() }
            if tag.elementsEqual("*".utf8) { return true }
            if tag.starts(with: "W/".utf8) { tag = tag.dropFirst(2) }
            return tag.elementsEqual(entityTag.utf8)
        }
    }
}
