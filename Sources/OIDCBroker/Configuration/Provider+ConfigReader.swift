// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

extension BrokerConfiguration.Provider {
    /// Reads the keys under `auth.provider.<name>.`; what is missing stays empty for the rules to find.
    init(name: String, from values: inout ConfigurationValues) async {
        let prefix = "auth.provider.\(name)."
        let kind = await Self.kind(prefix + "kind", from: &values)
        guard kind != .apple else {
            self = await Self.apple(name: name, prefix, from: &values)
            return
        }
        self.init(
            name: name,
            kind: kind,
            id: await values.string(prefix + "id"),
            issuer: await values.string(prefix + "issuer") ?? "",
            clientID: await values.string(prefix + "client-id") ?? "",
            clientSecret: await values.secret(prefix + "client-secret").map { Secret($0) })
        await readClient(prefix, from: &values)
        await readIDToken(prefix, from: &values)
        await readEndpoint(prefix, from: &values)
        await readCallback(prefix, from: &values)
        await readRequest(prefix, from: &values)
        await values.refuse(Self.keysOfApple.map { prefix + $0 }, expected: "nothing: it goes with kind apple")
    }

    private mutating func readEndpoint(_ prefix: String, from values: inout ConfigurationValues) async {
        certificateAuthorities = await values.fileContents(
            prefix + "certificate-authorities", expected: "the path of a PEM file that can be read")
        allowsInsecureLoopbackIssuer = await values.bool(prefix + "insecure-loopback-issuer") ?? false
        userInfo = await values.bool(prefix + "user-info") ?? false
        await readProxy(prefix, from: &values)
    }

    mutating func readProxy(_ prefix: String, from values: inout ConfigurationValues) async {
        let proxyKey = prefix + "proxy"
        if let text = await values.string(proxyKey) {
            proxy = Proxy(authority: text)
            if proxy == nil { values.add(proxyKey, expected: "host:port of an HTTP proxy, without a scheme") }
        }
    }

    /// Reads how the response comes back. The mode's default follows what was read before.
    mutating func readCallback(_ prefix: String, from values: inout ConfigurationValues) async {
        callbackPath = await values.string(prefix + "callback-path")
        let typeKey = prefix + "response-type"
        if let text = await values.string(typeKey) {
            if let type = ResponseType(name: text) {
                responseType = type
            } else {
                values.add(typeKey, expected: "code, 'code id_token' or id_token")
            }
        }
        responseMode = defaultResponseMode
        let modeKey = prefix + "response-mode"
        if let text = await values.string(modeKey) {
            if let mode = ResponseMode(name: text) {
                responseMode = mode
            } else {
                values.add(modeKey, expected: "query, form_post or fragment")
            }
        }
    }

    private mutating func readRequest(_ prefix: String, from values: inout ConfigurationValues) async {
        await readParameters(prefix, from: &values)
        pushedAuthorization = await values.bool(prefix + "pushed-authorization") ?? false
        claims = await values.string(prefix + "claims")
        resources = await values.list(prefix + "resources") ?? []
    }

    /// Reads what is asked for, and how far clocks may differ.
    mutating func readParameters(_ prefix: String, from values: inout ConfigurationValues) async {
        appParameters = await values.list(prefix + "app-parameters") ?? appParameters
        appScopes = await values.list(prefix + "app-scopes") ?? appScopes
        scopes = await values.list(prefix + "scopes") ?? scopes
        let parametersKey = prefix + "authorization-parameters"
        let parameters = await values.list(parametersKey) ?? []
        authorizationParameters = parameters.compactMap { BrokerConfiguration.AuthorizationParameter(text: $0) }
        if authorizationParameters.count != parameters.count {
            values.add(parametersKey, expected: "name=value for each")
        }
        clockSkewSeconds =
            await values.int(prefix + "clock-skew-seconds", expected: Self.clockSkew) ?? clockSkewSeconds
    }

    private static func kind(
        _ key: String, from values: inout ConfigurationValues
    ) async -> BrokerConfiguration.ProviderKind {
        guard let text = await values.string(key) else { return .oidc }
        guard let kind = BrokerConfiguration.ProviderKind(name: text) else {
            values.add(key, expected: "oidc or apple")
            return .oidc
        }
        return kind
    }
}
