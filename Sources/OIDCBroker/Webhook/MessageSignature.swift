// SPDX-License-Identifier: Apache-2.0

package import JOSE
import RawStructuredFieldValues

/// An HTTP Message Signature (RFC 9421) over a request of ours: what the receiver of a webhook checks to know that it
/// comes from this broker, for this address, just now, and that its body is whole.
///
/// Covered are `@method`, `@target-uri`, `content-type` and `content-digest`; the parameters are `created`, `keyid`,
/// `alg` (`ecdsa-p256-sha256`) and `tag`.
package struct MessageSignature: Sendable, Hashable {
    /// The value of `Signature-Input`.
    package let input: String
    /// The value of `Signature`.
    package let signature: String

    /// What the request is about to be.
    package struct Request: Sendable, Hashable {
        package var method: String
        package var targetURI: String
        package var contentType: String
        package var contentDigest: String

        package init(method: String, targetURI: String, contentType: String, contentDigest: String) {
            self.method = method
            self.targetURI = targetURI
            self.contentType = contentType
            self.contentDigest = contentDigest
        }
    }

    /// The name of the one signature in both fields.
    package static let label = "sig1"
    /// What the signature is for (section 2.3): a receiver takes no signature of another kind for one of these.
    package static let tag = "oidc-broker-webhook"

    /// Signs a request.
    /// - Parameters:
    ///   - key: a P-256 key (``JSONWebAlgorithm/es256``), whose signatures are `r` and `s`, 32 bytes each, as section
    ///     3.3.4 wants them.
    ///   - created: seconds since 1970.
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
        // The dictionary's one member, without its label, is the inner list as `@signature-params` holds it.
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
