// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A reader of the optional members of a discovery document: `nil` for one that is absent or blank.
///
/// It is also `nil` for one whose value is not acceptable. The reason is kept by the member's name, for whoever needs the
/// member: one that is not used does not make the metadata unusable.
struct MetadataDocument {
    let object: JSONObject
    let allowsLoopbackHTTP: Bool
    /// The origin at which endpoints that browsers do not use may be with http; `nil` for none.
    let serverOrigin: String?
    /// The reasons why members cannot be used, by the names of the members.
    private(set) var problems: [String: ProviderMetadataError] = [:]
    /// The first endpoint that is a text and not an acceptable URL. Whoever sends people or secrets to such a place is not
    /// believed in anything else; only a value of another type says nothing.
    private(set) var refusedEndpoint: ProviderMetadataError?

    init(object: JSONObject, allowsLoopbackHTTP: Bool, serverOrigin: String?) {
        self.object = object
        self.allowsLoopbackHTTP = allowsLoopbackHTTP
        self.serverOrigin = serverOrigin
    }

    /// The endpoints to which browsers are sent.
    private static let membersOfBrowsers = ["authorization_endpoint", "end_session_endpoint"]

    /// The maximum number of names in an array of registered names.
    static let mostRegisteredNames = 256

    /// The maximum length of a registered name of OAuth or OpenID Connect, in bytes.
    static let longestRegisteredName = 64

    /// An https URL, or an http URL on a loopback host if that is allowed.
    mutating func url(_ member: String) -> AbsoluteURL? {
        let url = read(member) { value, document in document.url(value, of: member) }
        if url == nil, object.present(member)?.text != nil { refuseEndpoint(member, .unacceptable(member)) }
        return url
    }

    /// An array of registered names. Names that are longer than ``longestRegisteredName`` or not ASCII are left out,
    /// since no registered name is.
    mutating func registeredNames(_ member: String) -> [String]? {
        read(member) { value, _ in
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
        read(member) { value, _ in value.boolValue } ?? false
    }

    /// The mutual-TLS endpoints, by the names of the members that they replace.
    mutating func mutualTLSAliases() -> [String: AbsoluteURL] {
        let member = "mtls_endpoint_aliases"
        let aliases = object[member]?.objectValue
        let urls: [String: AbsoluteURL]? = read(member) { value, document in
            guard let aliases = value.objectValue else { return nil }
            var urls: [String: AbsoluteURL] = [:]
            for endpoint in MutualTLSEndpoint.allCases {
                guard let alias = aliases.present(endpoint.rawValue) else { continue }
                guard let url = document.url(alias, of: member) else { return nil }
                urls[endpoint.rawValue] = url
            }
            return urls
        }
        let texts = MutualTLSEndpoint.allCases.compactMap { aliases?.present($0.rawValue) }.filter { $0.text != nil }
        if texts.contains(where: { url($0, of: member) == nil }) { refuseEndpoint(member, .unacceptable(member)) }
        return urls ?? [:]
    }

    /// Notes an endpoint that no document may have. No sign-in uses the end session endpoint.
    mutating func refuseEndpoint(_ member: String, _ problem: ProviderMetadataError) {
        refuse(member, problem)
        if member != "end_session_endpoint" { refusedEndpoint = refusedEndpoint ?? problem }
    }

    /// Notes why a member cannot be used.
    mutating func refuse(_ member: String, _ problem: ProviderMetadataError) {
        problems[member] = problem
    }

    private mutating func read<Value>(_ member: String, _ read: (JSONValue, Self) -> Value?) -> Value? {
        guard let value = object.present(member) else { return nil }
        let result = read(value, self)
        if result == nil { refuse(member, .unacceptable(member)) }
        return result
    }

    private func url(_ value: JSONValue, of member: String) -> AbsoluteURL? {
        guard let url = value.text?.ascii(atMost: AbsoluteURL.maximumLength).flatMap(AbsoluteURL.init),
            url.isHTTPS || (allowsLoopbackHTTP && url.isLoopback)
                || (serverOrigin.map { url.origin.hasSameBytes(as: $0) } ?? false
                    && !Self.membersOfBrowsers.contains(member))
        else { return nil }
        return url
    }
}
