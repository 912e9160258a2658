// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// What an OpenID Provider publishes of itself (OpenID Connect Discovery 1.0 section 3), read strictly.
public struct ProviderMetadata: Sendable, Hashable {
    /// The issuer, byte for byte the configured one.
    public let issuer: String
    /// Where the browser is sent.
    public let authorizationEndpoint: AbsoluteURL
    /// Where the code is exchanged.
    public let tokenEndpoint: AbsoluteURL
    /// Where the keys are.
    public let keySetURL: AbsoluteURL
    /// Where more claims can be fetched; nil where there is no such endpoint.
    public let userInfoEndpoint: AbsoluteURL?
    /// The registered names of client authentication; `client_secret_basic` where nothing is said.
    public let clientAuthenticationMethods: [String]
    /// Whether each authorization response carries `iss` (RFC 9207).
    public let announcesIssuer: Bool
    /// The algorithms ID tokens may be signed with: those announced that are supported here.
    package let idTokenAlgorithms: Set<JSONWebAlgorithm>

    /// The largest discovery document, bytes.
    package static let maximumBytes = 262_144

    /// Reads a discovery document.
    /// - Parameters:
    ///   - json: the document.
    ///   - issuer: the issuer that was asked; the document's must be the same, byte for byte.
    ///   - allowsLoopbackHTTP: whether endpoints may be http on a loopback host.
    package init(json: [UInt8], issuer: String, allowsLoopbackHTTP: Bool) throws(ProviderMetadataError) {
        let object: JSONObject
        do {
            object = try JSONParser.object(json, limits: JSONLimits(maximumBytes: Self.maximumBytes))
        } catch {
            throw .unreadable(error.description)
        }
        guard let announced = object["issuer"] else { throw .missing("issuer") }
        guard announced.stringValue?.hasSameBytes(as: issuer) == true else { throw .issuerMismatch }
        self.issuer = issuer

        func endpoint(_ member: String) throws(ProviderMetadataError) -> AbsoluteURL? {
            guard let value = object[member] else { return nil }
            guard let url = value.stringValue.flatMap(AbsoluteURL.init),
                url.isHTTPS || (allowsLoopbackHTTP && url.isLoopback)
            else { throw .unacceptable(member) }
            return url
        }
        func required(_ member: String) throws(ProviderMetadataError) -> AbsoluteURL {
            guard let url = try endpoint(member) else { throw .missing(member) }
            return url
        }
        func names(_ member: String) throws(ProviderMetadataError) -> [String]? {
            guard object[member] != nil else { return nil }
            guard let strings = Claims(object).strings(member) else { throw .unacceptable(member) }
            return strings
        }
        authorizationEndpoint = try required("authorization_endpoint")
        tokenEndpoint = try required("token_endpoint")
        keySetURL = try required("jwks_uri")
        userInfoEndpoint = try endpoint("userinfo_endpoint")
        clientAuthenticationMethods =
            try names("token_endpoint_auth_methods_supported") ?? [ClientAuthenticationMethod.clientSecretBasic.name]
        if let value = object["authorization_response_iss_parameter_supported"] {
            guard let announces = value.boolValue else {
                throw .unacceptable("authorization_response_iss_parameter_supported")
            }
            announcesIssuer = announces
        } else {
            announcesIssuer = false
        }
        // Where nothing is announced the default of the standard holds: RS256 (Core section 15.1).
        let algorithms = try names("id_token_signing_alg_values_supported") ?? [JSONWebAlgorithm.rs256.rawValue]
        idTokenAlgorithms = Set(algorithms.compactMap(JSONWebAlgorithm.init(rawValue:)))
        guard !idTokenAlgorithms.isEmpty else { throw .unacceptable("id_token_signing_alg_values_supported") }
    }

    /// The document's URL: the issuer, with a trailing slash left out, and `/.well-known/openid-configuration`
    /// (Discovery section 4.1).
    package static func url(ofIssuer issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }
}
