// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A relying party as described by a target file: how to start it, how to sign in, and how to verify the result.
///
/// Texts may contain `${NAME}`. See ``TargetVariables`` for the names that are known at the start, and
/// ``SignInVariable`` for those that differ between sign-ins.
package struct TargetFile: Sendable, Hashable, Codable {
    /// The name in tables.
    package var name: String
    /// The scheme, host and port of requests. `${SCHEME}` follows `--tls`.
    package var base: String
    /// The value of the Host field, if it is not that of ``base``.
    package var host: String?
    /// The program and its arguments; absent if the target already runs.
    package var launch: [String]?
    /// The environment in addition to this tool's own.
    package var environment: [String: String]?
    /// The working directory.
    package var directory: String?
    /// The required files. If one does not exist, the target is not installed and is left out of tables.
    package var requires: [String]?
    /// Additions for TLS toward the browser; absent if the target does not support it.
    package var tls: Addition?
    /// Additions for a provider with HTTPS; absent if the target's trusted certificates cannot be configured.
    package var providerTLS: Addition?
    /// Additions for a server that keeps accounts and has the wire of the Firebase SDKs; absent if the target has none.
    package var accounts: Addition?
    /// The environment for each provider, with its number `${K}` and its issuer `${ISSUER}`; absent if it supports one
    /// only.
    package var eachProvider: [String: String]?
    /// Whether it supports HTTP/2 over TLS.
    package var http2: Bool?
    /// The required prefix of the start's redirect, usually `${ISSUER}/authorize?`.
    package var authorizePrefix: String
    /// The request that begins a sign-in.
    package var start: Step
    /// The callback. Only its response is described, since the request follows from what the start sent.
    package var callback: Step
    /// The request that converts the credential into the user's subject; absent if there is none, so that only the
    /// callback is verified.
    package var redeem: Step?
    /// Whether cookies are kept between sign-ins; if absent, every sign-in is that of another browser.
    package var keepsCookies: Bool?
    /// Whether the target validates ID tokens; `false` for the floor, which must not be confused with a broken target.
    package var validates: Bool?
    /// The minimum warm-up in seconds, if the target needs more than the command's.
    package var warmUpSeconds: Double?
    /// The algorithms that it verifies; absent if it verifies both.
    package var algorithms: [String]?
    /// The loads of the table that it is measured under; absent for all that it supports.
    package var loads: [String]?
    /// A command that prints the versions for the table.
    package var version: [String]?
    /// Remarks for readers.
    package var notes: String?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, base, host, launch, environment, directory, requires, tls, http2, start, callback, redeem, validates
        case algorithms, loads, version, notes, accounts
        case providerTLS = "provider_tls"
        case eachProvider = "each_provider"
        case authorizePrefix = "authorize_prefix"
        case keepsCookies = "keeps_cookies"
        case warmUpSeconds = "warm_up_seconds"
    }

    /// Additions to the command that starts a target.
    package struct Addition: Sendable, Hashable, Codable {
        /// Additional arguments.
        package var arguments: [String]?
        /// Additional environment variables.
        package var environment: [String: String]?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case arguments, environment
        }
    }

    /// A request and the conditions on its response.
    package struct Step: Sendable, Hashable, Codable {
        /// The method; `GET` if absent.
        package var method: String?
        /// The request target; absent for a callback.
        package var path: String?
        /// Additional header fields of the request.
        package var headers: [String: String]?
        /// The form of a POST request, with unencoded values.
        package var form: [String: String]?
        /// The accepted statuses; 302 and 303 if absent.
        package var status: [Int]?
        /// The required prefix of Location.
        package var locationPrefix: String?
        /// Required parameters of Location with their exact values.
        package var locationParameters: [String: String]?
        /// A text that Location must not contain.
        package var locationExcludes: String?
        /// The parameter of Location that is the credential, `${CODE}`.
        package var codeParameter: String?
        /// The prefix of the name of a cookie that must be set.
        package var setCookie: String?
        /// The minimum length of its value in bytes; 1 if absent.
        package var setCookieBytes: Int?
        /// A text that the body must contain.
        package var bodyContains: String?
        /// Required members of the payload of `id_token` in the body, with their exact values.
        package var idTokenClaims: [String: String]?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case method, path, headers, form, status
            case locationPrefix = "location_prefix"
            case locationParameters = "location_parameters"
            case locationExcludes = "location_excludes"
            case codeParameter = "code_parameter"
            case setCookie = "set_cookie"
            case setCookieBytes = "set_cookie_bytes"
            case bodyContains = "body_contains"
            case idTokenClaims = "id_token_claims"
        }
    }
}

extension TargetFile {
    /// Reads a target file.
    ///
    /// - Throws: ``TargetFileError``.
    package init(json bytes: [UInt8]) throws(TargetFileError) {
        let json = Data(bytes)
        let file: TargetFile
        do {
            file = try JSONDecoder().decode(TargetFile.self, from: json)
        } catch {
            throw .malformed(Self.reason(error))
        }
        self = file
        try refuseUnknownMembers(json)
        guard start.path != nil else { throw .contradiction("start has no path") }
        guard callback.path == nil else {
            throw .contradiction("callback has a path: where the provider returns to follows from the start")
        }
        if let redeem, redeem.path == nil { throw .contradiction("redeem has no path") }
        for algorithm in algorithms ?? [] where algorithm != "RS256" && algorithm != "ES256" {
            throw .contradiction("algorithms are RS256 and ES256")
        }
        for load in loads ?? [] where TableLoad(rawValue: load) == nil {
            throw .contradiction("loads has '\(load)', which is no load of the table")
        }
    }

    /// Whether the target validates ID tokens, so that it must refuse a spoiled one.
    package var isValidating: Bool { validates ?? true }

    /// Whether the target supports an algorithm.
    package func supports(algorithm: String) -> Bool { algorithms?.contains(algorithm) ?? true }

    /// Whether the target is measured under a load of the table.
    package func takes(_ load: TableLoad) -> Bool { loads?.contains(load.rawValue) ?? true }

    /// Refuses unknown members, since a misspelled member would be treated as an absent one.
    private func refuseUnknownMembers(_ json: Data) throws(TargetFileError) {
        guard let object = (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] else {
            throw .malformed("not an object")
        }
        try Self.refuse(object, besides: CodingKeys.allCases.map(\.rawValue), in: "")
        for name in ["start", "callback", "redeem"] {
            guard let step = object[name] as? [String: Any] else { continue }
            try Self.refuse(step, besides: Step.memberNames, in: name + ".")
        }
        for name in ["tls", "provider_tls", "accounts"] {
            guard let addition = object[name] as? [String: Any] else { continue }
            try Self.refuse(addition, besides: Addition.memberNames, in: name + ".")
        }
    }

    private static func refuse(
        _ object: [String: Any], besides known: [String], in place: String
    ) throws(TargetFileError) {
        for name in object.keys.sorted() where !known.contains(name) { throw .unknownMember(place + name) }
    }

    private static func reason(_ error: any Error) -> String {
        func path(_ context: DecodingError.Context) -> String {
            let place = context.codingPath.map(\.stringValue).joined(separator: ".")
            return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            let place = (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
            return "\(place) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            return path(context)
        default:
            return "\(error)"
        }
    }
}

extension TargetFile.Step {
    fileprivate static var memberNames: [String] { CodingKeys.allCases.map(\.rawValue) }
}

extension TargetFile.Addition {
    fileprivate static var memberNames: [String] { CodingKeys.allCases.map(\.rawValue) }
}
