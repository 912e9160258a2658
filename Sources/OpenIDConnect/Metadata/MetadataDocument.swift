// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A reader of the optional members of a discovery document: `nil` for one that is absent or blank.
///
/// It is also `nil` for one whose value is not acceptable. The reason is kept by the member's name, for each use of the
/// member: one that is not used does not make the metadata unusable.
struct MetadataDocument {
    let object: JSONObject
    let allowsLoopbackHTTP: Bool
    /// The origin at which endpoints that browsers do not use may be with http; `nil` for none.
    let serverOrigin: String?
    /// Whether this server may send requests to the host of a URL.
    let isAllowed: (AbsoluteURL) -> Bool
    /// The reasons why members cannot be used, by the names of the members.
    private(set) var problems: [String: ProviderMetadataError] = [:]

    init(
        object: JSONObject, allowsLoopbackHTTP: Bool, serverOrigin: String?, isAllowed: @escaping (AbsoluteURL) -> Bool
    ) {
        self.object = object
        self.allowsLoopbackHTTP = allowsLoopbackHTTP
        self.serverOrigin = serverOrigin
        self.isAllowed = isAllowed
    }

    /// The endpoints to which browsers are sent.
    private static let membersOfBrowsers = ["authorization_endpoint", "end_session_endpoint"]

    /// The maximum number of names in an array of registered names.
    static let mostRegisteredNames = 256

    /// The maximum length of a registered name of OAuth or OpenID Connect, in bytes.
    static let longestRegisteredName = 64

    /// An https URL, or an http URL on a loopback host if that is allowed, to which requests may go.
    mutating func url(_ member: String) -> AbsoluteURL? { url(object.present(member), of: member) }

    /// An array of registered names. Names that are longer than ``longestRegisteredName`` or not ASCII are left out,
    /// since no registered name is.
    mutating func registeredNames(_ member: String) -> [String]? {
        read(member) { value in
            // Such a list is searched for each request to the provider.
            guard let names = value.arrayValue, names.count <= Self.mostRegisteredNames else { return nil }
            let texts = names.compactMap(\.text)
            guard texts.count == names.count else { return nil }
            return texts.compactMap { $0.ascii(atMost: Self.longestRegisteredName) }
        }
    }

    /// The supported algorithms in an array of names.
    mutating func algorithms(_ member: String) -> Set<JSONWebAlgorithm>? {
        registeredNames(member).map { Set($0.compactMap { JSONWebAlgorithm(rawValue: $0) }) }
    }

    /// A Boolean value; `false` if it is absent.
    mutating func flag(_ member: String) -> Bool {
        read(member) { $0.boolValue } ?? false
    }

    /// The mutual-TLS endpoints, by the names of the members that they replace. Each is judged where it is used, as
    /// ``MutualTLSEndpoint/alias``.
    mutating func mutualTLSAliases() -> [String: AbsoluteURL] {
        let aliases = read(MutualTLSEndpoint.aliases) { $0.objectValue }
        var urls: [String: AbsoluteURL] = [:]
        for endpoint in MutualTLSEndpoint.allCases {
            urls[endpoint.rawValue] = url(aliases?.present(endpoint.rawValue), of: endpoint.alias)
        }
        return urls
    }

    /// Notes why a member cannot be used.
    mutating func refuse(_ member: String, _ problem: ProviderMetadataError) {
        problems[member] = problem
    }

    private mutating func read<Value>(_ member: String, _ read: (JSONValue) -> Value?) -> Value? {
        guard let value = object.present(member) else { return nil }
        let result = read(value)
        if result == nil { refuse(member, .unacceptable(member)) }
        return result
    }

    private mutating func url(_ value: JSONValue?, of member: String) -> AbsoluteURL? {
        guard let value else { return nil }
        let isOfBrowsers = Self.membersOfBrowsers.contains(member)
        guard let url = value.text?.ascii(atMost: AbsoluteURL.maximumLength).flatMap(AbsoluteURL.init),
            url.isHTTPS || (allowsLoopbackHTTP && url.isLoopback)
                || (serverOrigin.map { url.origin.hasSameBytes(as: $0) } ?? false && !isOfBrowsers)
        else {
            refuse(member, .unacceptable(member))
            return nil
        }
        guard isOfBrowsers || isAllowed(url) else {
            refuse(member, .hostNotAllowed(member))
            return nil
        }
        return url
    }
}
