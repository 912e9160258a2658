// SPDX-License-Identifier: Apache-2.0

package import JOSE
import RawStructuredFieldValues

/// An HTTP Message Signature (RFC 9421) of a webhook request, by which the receiver verifies that the request comes
/// from this broker, is for this address, is recent, and has an unmodified body.
///
/// It covers `@method`, `@target-uri`, `content-type` and `content-digest`. Its parameters are `created`, `keyid`,
/// `alg` (`ecdsa-p256-sha256`) and `tag`.
package struct MessageSignature: Sendable, Hashable {
    /// The value of `Signature-Input`.
    package let input: String
    /// The value of `Signature`.
    package let signature: String

    /// The covered parts of the request.
    package struct Request: Sendable, Hashable {
        /// The `@method` (RFC 9421 section 2.2.1).
        package var method: String
        /// The `@target-uri` (RFC 9421 section 2.2.2).
        package var targetURI: String
        /// The value of `Content-Type`.
        package var contentType: String
        /// The value of `Content-Digest` (RFC 9530).
        package var contentDigest: String

        /// Creates the covered parts of a request.
        package init(method: String, targetURI: String, contentType: String, contentDigest: String) {
            self.method = method
            self.targetURI = targetURI
            self.contentType = contentType
            self.contentDigest = contentDigest
        }
    }

    /// The label of the signature in both fields.
    package static let label = "sig1"
    /// The purpose of the signature (section 2.3), so that a receiver does not accept a signature of another kind.
    package static let tag = "oidc-broker-webhook"

    /// Signs a request.
    /// - Parameters:
    ///   - key: A P-256 key (``JSONWebAlgorithm/es256``), whose signatures are `r` and `s` of 32 bytes each, as section
    ///     3.3.4 requires.
    ///   - created: The current time, in seconds since 1970.
    package init(_ request: Request, key: SigningKey, created: Int64) throws {
        let components = [
            ("@method", request.method), ("@target-uri", request.targetURI), ("content-type", request.contentType),
            ("content-digest", request.contentDigest),
        ]
        var parameters = OrderedMap<String, RFC9651BareItem>()
        parameters["created"] = .integer(created)
        parameters["keyid"] = .string(key.keyID)
        parameters["alg"] = .string("ecdsa-p256-sha256")
        parameters["tag"] = .string(Self.tag)
        var names = BareInnerList()
        for component in components {
            names.append(Item(bareItem: RFC9651BareItem.string(component.0), parameters: Self.none))
        }
        let list = InnerList(bareInnerList: names, parameters: parameters)
        let covered = try Self.dictionary(.innerList(list))
        // The only member of the dictionary, without its label, is the inner list that `@signature-params` contains.
        let parametersText = String(covered.dropFirst(Self.label.utf8.count + 1))
        let base =
            components.map { "\"\($0.0)\": \($0.1)" }.joined(separator: "\n")
            + "\n\"@signature-params\": \(parametersText)"
        input = covered
        signature = try Self.dictionary(
            .item(
                Item(
                    bareItem: RFC9651BareItem.undecodedByteSequence(
                        Base64.encode(try key.signature(over: Array(base.utf8)))),
                    parameters: Self.none)))
    }

    private static var none: OrderedMap<String, RFC9651BareItem> { OrderedMap() }

    private static func dictionary(_ member: ItemOrInnerList) throws -> String {
        var dictionary = OrderedMap<String, ItemOrInnerList>()
        dictionary[label] = member
        var serializer = StructuredFieldValueSerializer()
        return String(decoding: try serializer.writeDictionaryFieldValue(dictionary), as: UTF8.self)
    }
}
