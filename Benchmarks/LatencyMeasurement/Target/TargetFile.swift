// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A relying party as a target file describes it: how it is started, driven and believed.
///
/// Texts may hold `${NAME}`; see ``TargetVariables`` for the names that are known at the start and ``SignInVariable`` for
/// those that differ in each sign-in.
package struct TargetFile: Sendable, Hashable, Codable {
    /// What the tables call it.
    package var name: String
    /// Scheme, host and port that requests go to; `${SCHEME}` follows `--tls`.
    package var base: String
    /// The Host field, where it is not that of ``base``.
    package var host: String?
    /// The program and its arguments; absent: the target runs already.
    package var launch: [String]?
    /// Its environment, besides the tool's own.
    package var environment: [String: String]?
    /// The folder it runs in.
    package var directory: String?
    /// Files that must exist; where one does not, the target is not installed and is left out of tables.
    package var requires: [String]?
    /// What is added with TLS toward the browser; absent: the target does not do TLS.
    package var tls: Addition?
    /// What is added where the provider speaks HTTPS; absent: it cannot be told which certificate to trust.
    package var providerTLS: Addition?
    /// The environment for each provider, `${K}` its number and `${ISSUER}` its issuer; absent: one provider only.
    package var eachProvider: [String: String]?
    /// Whether it speaks HTTP/2, over TLS.
    package var http2: Bool?
    /// What the start must redirect to begins so; `${ISSUER}/authorize?` is the usual text.
    package var authorizePrefix: String
    /// The request that begins a sign-in.
    package var start: Step
    /// The provider's response at the callback; its request is not described, it follows from what the start sent.
    package var callback: Step
    /// What turns the credential into the person's subject; absent: nothing does, and only the callback is believed.
    package var redeem: Step?
    /// Whether cookies are kept from one sign-in to the next; absent: every sign-in is another browser.
    package var keepsCookies: Bool?
    /// Whether the target validates ID tokens at all; `false` for a floor, which must not be told from a broken target.
    package var validates: Bool?
    /// How long it must be driven before it is at its speed, seconds; more than the command says where it is more.
    package var warmUpSeconds: Double?
    /// The algorithms it verifies; absent: both.
    package var algorithms: [String]?
    /// A command that says which versions it is of; the table shows what it writes.
    package var version: [String]?
    /// For readers.
    package var notes: String?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, base, host, launch, environment, directory, requires, tls, http2, start, callback, redeem, validates
        case algorithms, version, notes
        case providerTLS = "provider_tls"
        case eachProvider = "each_provider"
        case authorizePrefix = "authorize_prefix"
        case keepsCookies = "keeps_cookies"
        case warmUpSeconds = "warm_up_seconds"
    }

    /// What is added to how a target is started.
    package struct Addition: Sendable, Hashable, Codable {
        /// Further arguments.
        package var arguments: [String]?
        /// Further environment.
        package var environment: [String: String]?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case arguments, environment
        }
    }

    /// One request and what its response must be.
    package struct Step: Sendable, Hashable, Codable {
        /// `GET` where absent.
        package var method: String?
        /// The request target; absent for a callback.
        package var path: String?
        /// Further fields of the request.
        package var headers: [String: String]?
        /// The form of a POST, values not yet encoded.
        package var form: [String: String]?
        /// The statuses that are right; 302 and 303 where absent.
        package var status: [Int]?
        /// What Location begins with.
        package var locationPrefix: String?
        /// Parameters of Location and their exact values.
        package var locationParameters: [String: String]?
        /// What Location must not contain.
        package var locationExcludes: String?
        /// The parameter of Location that is the credential, `${CODE}`.
        package var codeParameter: String?
        /// What the name of a cookie that must be set begins with.
        package var setCookie: String?
        /// How many bytes its value has at least; 1 where absent.
        package var setCookieBytes: Int?
        /// What the body must contain.
        package var bodyContains: String?
        /// Members of the payload of the body's `id_token` and their exact values.
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
    }

    /// Whether the target validates ID tokens, so that a spoiled one must be refused.
    package var isValidating: Bool { validates ?? true }

    /// Whether the target is for this algorithm.
    package func supports(algorithm: String) -> Bool { algorithms?.contains(algorithm) ?? true }

    /// A misspelled member would be read as an absent one.
    private func refuseUnknownMembers(_ json: Data) throws(TargetFileError) {
        guard let object = (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] else {
            throw .malformed("not an object")
        }
        try Self.refuse(object, besides: CodingKeys.allCases.map(\.rawValue), in: "")
        for name in ["start", "callback", "redeem"] {
            guard let step = object[name] as? [String: Any] else { continue }
            try Self.refuse(step, besides: Step.memberNames, in: name + ".")
        }
        for name in ["tls", "provider_tls"] {
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
