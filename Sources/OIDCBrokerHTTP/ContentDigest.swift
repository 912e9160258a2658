// SPDX-License-Identifier: Apache-2.0

import JOSE
import RawStructuredFieldValues

/// The `Content-Digest` field (RFC 9530 section 2), the hash of a message's body, so that a signature of header fields
/// covers the body too.
package enum ContentDigest {
    /// Returns the value of the field: a structured dictionary with the member `sha-256`.
    package static func sha256(of body: [UInt8]) throws -> String {
        var dictionary = OrderedMap<String, ItemOrInnerList>()
        dictionary["sha-256"] = .item(
            Item(
                bareItem: RFC9651BareItem.undecodedByteSequence(Base64.encode(Hash.sha256(body))),
                parameters: OrderedMap<String, RFC9651BareItem>()))
        var serializer = StructuredFieldValueSerializer()
        return String(decoding: try serializer.writeDictionaryFieldValue(dictionary), as: UTF8.self)
    }
}
