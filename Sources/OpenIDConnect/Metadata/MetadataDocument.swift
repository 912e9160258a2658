// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A reader of the members of a discovery document: `nil` for an absent member, and an error that names the member if
/// its value is not acceptable.
struct MetadataDocument {
    let object: JSONObject
    let allowsLoopbackHTTP: Bool
    /// The origin at which endpoints that browsers do not use may be with http; `nil` for none.
    var serverOrigin: String?

    /// The endpoints to which browsers are sent.
    private static let membersOfBrowsers = ["authorization_endpoint", "end_session_endpoint"]

    /// An https URL, or an http URL on a loopback host if that is allowed.
    func url(_ member: String) throws(ProviderMetadataError) -> AbsoluteURL? {
        guard let value = object[member] else { return nil }
        return try url(value, of: member)
    }

    /// A required URL.
    func requiredURL(_ member: String) throws(ProviderMetadataError) -> AbsoluteURL {
        guard let url = try url(member) else { throw .missing(member) }
        return url
    }

    /// An array of strings.
    func names(_ member: String) throws(ProviderMetadataError) -> [WireText]? {
        guard object[member] != nil else { return nil }
        guard let strings = Claims(object).texts(member) else { throw .unacceptable(member) }
        return strings
    }

    /// An array of registered names. Names that are longer than ``longestRegisteredName`` or not ASCII are left out,
    /// since no registered name is.
    func registeredNames(_ member: String) throws(ProviderMetadataError) -> [String]? {
        guard let names = try names(member) else { return nil }
        // Such a list is searched for each request to the provider.
        guard names.count <= Self.mostRegisteredNames else { throw .unacceptable(member) }
        return names.compactMap { $0.ascii(atMost: Self.longestRegisteredName) }
    }

    /// The maximum number of names in an array of registered names.
    static let mostRegisteredNames = 256

    /// The maximum length of a registered name of OAuth or OpenID Connect, in bytes.
    static let longestRegisteredName = 64

    /// A Boolean value; `false` if it is absent.
    func flag(_ member: String) throws(ProviderMetadataError) -> Bool {
        guard let value = object[member] else { return false }
        guard let flag = value.boolValue else { throw .unacceptable(member) }
        return flag
    }

    /// The supported algorithms in an array.
    func algorithms(_ member: String) throws(ProviderMetadataError) -> Set<JSONWebAlgorithm>? {
        try names(member).map { Set($0.compactMap(JSONWebAlgorithm.init(wire:))) }
    }

    /// The mutual-TLS endpoints, by the names of the members that they replace.
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
                || (serverOrigin.map { url.origin.hasSameBytes(as: $0) } ?? false
                    && !Self.membersOfBrowsers.contains(member))
        else { throw .unacceptable(member) }
        return url
    }
}
