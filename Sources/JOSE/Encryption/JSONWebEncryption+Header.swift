// SPDX-License-Identifier: Apache-2.0

/// Reads the members of the header (RFC 7516 section 4.1), one function each.
extension JSONWebEncryption {
    static func header(_ segment: ArraySlice<UInt8>) throws(JSONWebEncryptionError) -> JSONObject {
        let bytes = try octets(segment, otherwise: "header is not base64url")
        do {
            return try JSONParser.object(bytes, limits: .header)
        } catch {
            throw .malformed("header is not a JSON object")
        }
    }

    static func keyManagement(_ header: JSONObject) throws(JSONWebEncryptionError) -> KeyManagementAlgorithm {
        guard let name = header["alg"]?.text else { throw .malformed("alg is not a string") }
        guard let algorithm = KeyManagementAlgorithm(wire: name) else {
            throw .keyManagementNotAllowed.finding(name, among: KeyManagementAlgorithm.refusedNames)
        }
        return algorithm
    }

    static func contentEncryption(_ header: JSONObject) throws(JSONWebEncryptionError) -> ContentEncryptionAlgorithm {
        guard let name = header["enc"]?.text else { throw .malformed("enc is not a string") }
        guard let algorithm = ContentEncryptionAlgorithm(wire: name) else {
            throw .contentEncryptionNotAllowed.finding(name, among: [])
        }
        return algorithm
    }

    /// Refuses members that would change how the token is read or what reading it costs. A recipient that supports no
    /// extensions must refuse every token with a critical one (RFC 7516 section 4.1.13). Nothing is ever decompressed.
    static func refuseExtensions(_ header: JSONObject) throws(JSONWebEncryptionError) {
        guard header["crit"] == nil else { throw .malformed("crit") }
        guard header["b64"] == nil else { throw .malformed("b64") }
        guard header["zip"] == nil else { throw .malformed("zip") }
        guard header["p2c"] == nil, header["p2s"] == nil else { throw .malformed("p2c or p2s") }
        guard let type = try optionalText(header.present("cty"), otherwise: "cty is not a string") else { return }
        // The value must be `JWT` (RFC 7519 section 5.2). Media types are case-insensitive, and "application/" may be
        // omitted (RFC 7515 section 4.1.10). Only ASCII letters need folding.
        let name = type.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        guard name.elementsEqual("jwt".utf8) || name.elementsEqual("application/jwt".utf8) else {
            throw .malformed("cty is not JWT")
        }
    }

    static func ephemeralKey(_ header: JSONObject) throws(JSONWebEncryptionError) -> EphemeralKey {
        guard let jwk = header["epk"]?.objectValue else { throw .malformed("epk is not an object") }
        do {
            return try EphemeralKey(jwk: jwk)
        } catch {
            throw .malformed("epk: \(error)")
        }
    }

    /// The bytes of `apu` or `apv` (RFC 7518 section 4.6.1); empty if it is absent or blank.
    static func partyInfo(
        _ member: JSONValue?, otherwise reason: String
    ) throws(JSONWebEncryptionError) -> [UInt8] {
        guard let member else { return [] }
        guard let text = member.text, let bytes = Base64URL.decode(text) else { throw .malformed(reason) }
        return bytes
    }

    static func octets(
        _ segment: ArraySlice<UInt8>, otherwise reason: String
    ) throws(JSONWebEncryptionError) -> [UInt8] {
        guard let bytes = Base64URL.decode(segment) else { throw .malformed(reason) }
        return bytes
    }

    static func optionalText(
        _ member: JSONValue?, otherwise reason: String
    ) throws(JSONWebEncryptionError) -> WireText? {
        guard let member else { return nil }
        guard let text = member.text else { throw .malformed(reason) }
        return text
    }
}
