// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

extension SubjectAlternativeNames {
    /// The tag of the extensions in a certificate (RFC 5280 section 4.1).
    private static let extensionsTag = ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)

    /// The subject alternative names of a DER-encoded certificate; none if it has no such extension.
    ///
    /// `Certificate` of swift-certificates cannot be used for this: it fails if it does not know the signature
    /// algorithm, and RSASSA-PSS is one of those.
    ///
    /// - Throws: An error if the certificate is not valid DER, if an extension is not, or if there are two extensions
    ///   for these names, which RFC 5280 section 4.2 forbids.
    init(certificate der: [UInt8]) throws {
        let extensions = try DER.sequence(DER.parse(der), identifier: .sequence) { certificate in
            defer { while certificate.next() != nil {} }
            guard let signed = certificate.next() else { return [Certificate.Extension]() }
            return try DER.sequence(signed, identifier: .sequence) { fields in
                try Self.extensions(in: &fields)
            }
        }
        let alternatives = extensions.filter { $0.oid == .X509ExtensionID.subjectAlternativeName }
        guard let first = alternatives.first else {
            self.init()
            return
        }
        guard alternatives.count == 1 else { throw ASN1Error.invalidASN1Object(reason: "duplicate extension") }
        self = try SubjectAlternativeNames(first)
    }

    private static func extensions(in fields: inout ASN1NodeCollection.Iterator) throws -> [Certificate.Extension] {
        var extensions: [Certificate.Extension]?
        while let field = fields.next() {
            guard field.identifier == extensionsTag else { continue }
            guard extensions == nil, case .constructed(let content) = field.content else {
                throw ASN1Error.invalidASN1Object(reason: "duplicate extensions")
            }
            var nodes = content.makeIterator()
            guard let list = nodes.next(), nodes.next() == nil else {
                throw ASN1Error.invalidASN1Object(reason: "not a list of extensions")
            }
            extensions = try DER.sequence(of: Certificate.Extension.self, identifier: .sequence, rootNode: list)
        }
        return extensions ?? []
    }
}
