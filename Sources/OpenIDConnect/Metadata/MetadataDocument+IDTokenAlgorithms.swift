// SPDX-License-Identifier: Apache-2.0

import JOSE

extension MetadataDocument {
    /// The member with the signature algorithms of ID tokens.
    static let idTokenSigningAlgorithms = "id_token_signing_alg_values_supported"

    /// Whether the signature algorithms of ID tokens are announced. An empty list is an announcement: Discovery
    /// requires the member, and an empty list means none.
    var announcesIDTokenAlgorithms: Bool {
        guard let value = object[Self.idTokenSigningAlgorithms] else { return false }
        return !value.isBlank || value.arrayValue != nil
    }

    /// The supported signature algorithms of ID tokens. If none is announced, it is RS256 (OpenID Connect Core 1.0 section
    /// 15.1); if none that is announced is supported, there is none.
    mutating func idTokenAlgorithms() -> Set<JSONWebAlgorithm> {
        guard announcesIDTokenAlgorithms else { return [.rs256] }
        let member = Self.idTokenSigningAlgorithms
        let names = registeredNames(member) ?? []
        let algorithms = Set(names.compactMap { JSONWebAlgorithm(rawValue: $0) })
        guard algorithms.isEmpty else { return algorithms }
        let known = names.filter { JSONWebAlgorithm.unsupportedNames.contains($0) }
        refuse(member, known.isEmpty ? .unacceptable(member) : .unsupported(member, known))
        return []
    }
}
