// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The members of a discovery document, read one by one: nil for an absent one, a refusal by its name for one that
/// holds anything but what belongs there.
struct MetadataDocument {
    let object: JSONObject
    let allowsLoopbackHTTP: Bool

    /// An https URL, or an http one on this machine where that is allowed.
    func url(_ member: String) throws(ProviderMetadataError) -> AbsoluteURL? {
        guard let value = object[member] else { return nil }
        return try url(value, of: member)
    }

    /// A URL that must be there.
    func requiredURL(_ member: String) throws(ProviderMetadataError) -> AbsoluteURL {
        guard let url = try url(member) else { throw .missing(member) }
        return url
    }

    /// A list of texts.
    func names(_ member: String) throws(ProviderMetadataError) -> [WireText]? {
        guard object[member] != nil else { return nil }
        guard let strings = Claims(object).texts(member) else { throw .unacceptable(member) }
        return strings
    }

    /// A list of registered names. One that is longer than ``longestRegisteredName`` or not ASCII is none of them, and
    /// left out.
    func registeredNames(_ member: String) throws(ProviderMetadataError) -> [String]? {
        guard let names = try names(member) else { return nil }
        // Such a list is looked through for each request to the provider.
        guard names.count <= Self.mostRegisteredNames else { throw .unacceptable(member) }
        return names.compactMap { $0.ascii(atMost: Self.longestRegisteredName) }
    }

    /// The most names that a list of registered names may have.
    static let mostRegisteredNames = 256

    /// No registered name of OAuth or OpenID Connect is longer, bytes.
    static let longestRegisteredName = 64

    /// A truth value; false where it is absent.
    func flag(_ member: String) throws(ProviderMetadataError) -> Bool {
        guard let value = object[member] else { return false }
        guard let flag = value.boolValue else { throw .unacceptable(member) }
        return flag
    }

    /// Those of a list of algorithms that are supported here.
    func algorithms(_ member: String) throws(ProviderMetadataError) -> Set<JSONWebAlgorithm>? {
        try names(member).map { Set($0.compactMap(JSONWebAlgorithm.init(wire:))) }
    }

    /// The endpoints for clients with a certificate, by the names of the members they stand in for.
    func mutualTLSAliases() throws(ProviderMetadataError) -> [String: AbsoluteURL] {
        let member = "mtls_endpoint_aliases"
        guard let value = object[member] else { return [:] }
        guard let aliases = value.objectValue else { throw .unacceptable(member) }
        var urls: [String: AbsoluteURL] = [:]
        for endpoint in MutualTLSEndpoint.allCases {
            guard let alias = aliases[endpoint.rawValue] else { continue }
            urls[endpoint.rawValue] = try url(alias, of: member)
        }
        return urls
    }

    private func url(_ value: JSONValue, of member: String) throws(ProviderMetadataError) -> AbsoluteURL {
        guard let url = value.text?.ascii(atMost: AbsoluteURL.maximumLength).flatMap(AbsoluteURL.init),
            url.isHTTPS || (allowsLoopbackHTTP && url.isLoopback)
        else { throw .unacceptable(member) }
        return url
    }
}
