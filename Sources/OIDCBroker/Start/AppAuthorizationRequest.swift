// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect

/// An authorization request of an app, apart from the client ID and redirect URI, read strictly (OpenID Connect Core
/// 1.0 section 3.1.2.1, RFC 7636 section 4.3).
struct AppAuthorizationRequest {
    /// The maximum length of an app's `state`, in bytes.
    static let maximumStateLength = 2048
    /// The maximum length of a `state` that is refused, and is returned with the error all the same, in bytes.
    static let maximumReturnedStateLength = 16_384
    /// The values of `prompt` (OpenID Connect Core 1.0 section 3.1.2.1; Initiating User Registration via OpenID Connect 1.0
    /// section 4), which the provider is asked for.
    static let prompts = ["none", "login", "consent", "select_account", "create"]
    /// The maximum length of an app's `nonce`, in bytes.
    static let maximumNonceLength = 128
    /// The maximum length of a parameter that is passed on, in bytes.
    static let maximumParameterLength = 512

    let state: String?
    let nonce: String?
    /// The decoded S256 challenge, 32 bytes; `nil` if the app sent none, which it may only with a `nonce`.
    let codeChallenge: [UInt8]?
    /// The name or ID of a provider; `nil` if the app names none.
    let provider: WireText?
    let scopes: [WireText]
    let maximumAge: Int64?
    /// Whether no page may be shown to the user, because `prompt` is `none`.
    let isSilent: Bool
    /// The response mode, the claims, and the subject that the app asks for.
    let requirements: LoginRequirements
    private let parameters: Parameters

    /// Returns the `state` for an error response to a request that is refused, as it was received, also if the request is
    /// refused for it (RFC 6749 section 4.1.2.1); `nil` if there is none, or two, or one of a form that no app can read.
    static func state(of parameters: Parameters) -> String? {
        guard let state = (try? parameters.nonEmptyValue("state")) ?? nil,
            state.utf8.count <= maximumReturnedStateLength
        else { return nil }
        return state.makeString()
    }

    /// Returns the language that an app asked for; `nil` if none is known.
    static func language(of parameters: Parameters) -> Language? {
        ((try? parameters.nonEmptyValue("ui_locales")) ?? nil).flatMap { LanguagePreferences.first(of: $0.utf8) }
    }

    /// Returns the response mode for the response to a request; the default of its response type if the requested one
    /// cannot be used.
    static func responseMode(of parameters: Parameters, at redirectURI: RedirectURI) -> ResponseMode {
        let sent = (try? parameters.nonEmptyValue("response_mode")) ?? nil
        let named = sent ?? requestObject(in: parameters)?["response_mode"]?.text
        guard let name = named?.ascii(atMost: 16), let mode = ResponseMode(name: name), !mode.isSigned,
            mode != .formPost || redirectURI.kind != .privateUse
        else { return defaultMode(of: parameters) }
        return mode
    }

    /// The default mode of the response type, which no app gets but in an error (OAuth 2.0 Multiple Response Type Encoding
    /// Practices sections 2.1 and 5).
    private static func defaultMode(of parameters: Parameters) -> ResponseMode {
        let type = (try? parameters.nonEmptyValue("response_type")) ?? nil
        let words = type.map { Scopes.split($0) } ?? []
        return words.contains("id_token") || words.contains("token") ? .fragment : .query
    }

    /// The maximum length of a request object that is read, in bytes.
    private static let maximumRequestObjectLength = 8192

    /// Reads the payload of a request object (OpenID Connect Core 1.0 section 6.1), whose signature is not verified; `nil`
    /// if there is none.
    ///
    /// Requests with one are refused. It may name the mode in which the app is told so, as the query may.
    private static func requestObject(in parameters: Parameters) -> JSONObject? {
        guard let text = (try? parameters.nonEmptyValue("request")) ?? nil,
            text.utf8.count <= maximumRequestObjectLength
        else { return nil }
        let segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count == 3, let payload = Base64URL.decode(segments[1]) else { return nil }
        return try? JSONParser.object(payload, limits: JSONLimits(maximumBytes: maximumRequestObjectLength))
    }

    /// - Parameters:
    ///   - app: The app, whose `code-binding` decides what the request must have.
    ///   - subject: A closure that returns the subject of an `id_token_hint`; `nil` if it is not an ID token of the
    ///     app.
    /// - Throws: The error for the app.
    init(
        _ parameters: Parameters, redirectURI: RedirectURI, app: AppEntry, subjectOfHint subject: (String) -> String?
    ) throws(AppError) {
        if let name = parameters.firstDuplicateName(but: "resource") {
            throw AppError("invalid_request", "\(ParametersError.duplicate(name)).")
        }
        // No parameter occurs twice.
        let values = (try? parameters.values(of: Self.names)) ?? []
        // One without a value counts as omitted (RFC 6749 section 3.1).
        func received(_ name: Name) -> WireText? {
            guard name.rawValue < values.count, let value = values[name.rawValue], !value.isEmpty else { return nil }
            return value
        }
        func value(_ name: Name, maximum: Int) throws(AppError) -> String? {
            guard let value = received(name) else { return nil }
            guard let value = value.printableASCII(atMost: maximum) else {
                throw AppError("invalid_request", "\(name) is longer than \(maximum) bytes or not printable ASCII.")
            }
            return value
        }

        state = try value(.state, maximum: Self.maximumStateLength)
        // First of all, as the certification of OpenID Providers expects it.
        for name in Name.unsupported where received(name) != nil {
            throw AppError("\(name.text)_not_supported", "\(name.text) is not supported.")
        }
        guard let responseType = received(.responseType) else {
            throw AppError("invalid_request", "response_type is missing.")
        }
        guard responseType == "code" else {
            throw AppError("unsupported_response_type", "response_type must be code.")
        }
        let responseMode = Self.responseMode(of: parameters, at: redirectURI)
        guard received(.responseMode).map({ $0.hasSameBytes(asASCII: responseMode.name) }) ?? true else {
            throw AppError(
                "invalid_request", "response_mode must be query, fragment or, for a web address, form_post.")
        }
        var resources: [String] = []
        for index in parameters.all.indices {
            guard let refused = Self.refusal(of: parameters.all[index].name), !parameters.all[index].value.isEmpty
            else { continue }
            guard refused != "resource" else {
                guard let name = app.resources?.named(parameters.all[index].value)?.name else { throw .invalidTarget }
                if !resources.contains(name) { resources.append(name) }
                continue
            }
            throw AppError("invalid_request", "\(refused) is not accepted here.")
        }
        let method = received(.codeChallengeMethod)
        let challenge = received(.codeChallenge)
        if method == nil, challenge == nil {
            try Self.validateUnchallenged(hasNonce: received(.nonce) != nil, responseMode, app)
            codeChallenge = nil
        } else {
            guard method == "S256" else {
                throw AppError("invalid_request", "code_challenge_method must be S256.")
            }
            guard let challenge, challenge.utf8.count == 43, let decoded = Base64URL.decode(challenge),
                decoded.count == 32
            else { throw AppError("invalid_request", "code_challenge must be the base64url of a SHA-256.") }
            codeChallenge = decoded
        }
        nonce = try value(.nonce, maximum: Self.maximumNonceLength)
        scopes = Scopes.split(received(.scope) ?? "openid")
        guard scopes.contains("openid") else { throw AppError("invalid_scope", "scope must contain openid.") }
        if let age = received(.maximumAge) {
            maximumAge = try Self.seconds(age)
        } else {
            maximumAge = nil
        }
        let prompts = Scopes.split(received(.prompt) ?? "")
        for prompt in prompts where !Self.prompts.contains(where: { prompt.hasSameBytes(asASCII: $0) }) {
            throw AppError("invalid_request", "prompt must be of \(Self.prompts.joined(separator: ", ")).")
        }
        isSilent = prompts.contains { $0.hasSameBytes(as: "none") }
        // "none" in combination with another value is an error (OpenID Connect Core 1.0 section 3.1.2.1).
        guard !isSilent || prompts.count == 1 else {
            throw AppError("invalid_request", "prompt must be none alone, or without it.")
        }
        provider = received(.provider)
        var requirements = try Self.requirements(
            responseMode, claims: received(.claims), hint: received(.idTokenHint), isSilent: isSilent,
            subjectOfHint: subject)
        requirements.resources = resources
        requirements.language = received(.userInterfaceLocales).flatMap { LanguagePreferences.first(of: $0.utf8) }
        self.requirements = requirements
        self.parameters = parameters
    }

    /// Validates that a request may be without a `code_challenge` (RFC 9700 section 2.1.1).
    private static func validateUnchallenged(
        hasNonce: Bool, _ responseMode: ResponseMode, _ app: AppEntry
    ) throws(AppError) {
        guard !app.isPublic else { throw .missingChallenge }
        switch app.configuration.codeBinding {
        case .pkce: throw .unboundCode
        case .nonce: guard hasNonce else { throw .unboundCode }
        case .none:
            guard hasNonce || responseMode != .fragment else {
                throw AppError(
                    "invalid_request", "response_mode must be query or form_post without code_challenge and nonce.")
            }
        }
    }

    /// Creates the request of an app that is not an OpenID client, with all claims that its providers give.
    init(state: String, nonce: String?, provider: WireText?, parameters: Parameters) {
        self.state = state
        self.nonce = nonce
        codeChallenge = nil
        self.provider = provider
        scopes = ["openid", "profile", "email", "address", "phone"]
        maximumAge = nil
        isSilent = false
        requirements = .none
        self.parameters = parameters
    }

    /// Creates the request of a client that an extension speaks for.
    init(scopes: [WireText], maximumAge: Int64?, requirements: LoginRequirements, parameters: Parameters) {
        state = nil
        nonce = nil
        codeChallenge = nil
        provider = nil
        self.scopes = scopes
        self.maximumAge = maximumAge
        isSilent = false
        self.requirements = requirements
        self.parameters = parameters
    }

    /// Reads a `max_age`.
    static func seconds(_ age: WireText) throws(AppError) -> Int64 {
        guard let age = age.ascii(atMost: 20), let seconds = Int64(age), (0...(1 << 40)).contains(seconds),
            age.utf8.allSatisfy({ $0 >= 0x30 })
        else {
            throw AppError("invalid_request", "max_age must be a number of seconds.")
        }
        return seconds
    }

    private static func requirements(
        _ responseMode: ResponseMode, claims: WireText?, hint: WireText?, isSilent: Bool,
        subjectOfHint: (String) -> String?
    ) throws(AppError) -> LoginRequirements {
        var requirements = LoginRequirements()
        requirements.responseMode = responseMode
        var subject: String?
        if let claims {
            let claims = try RequestedClaims(claims)
            requirements.requestsEmail = claims.hasEmail
            requirements.requestsProfile = claims.hasProfile
            requirements.requiresAuthTime = claims.requiresAuthTime
            subject = claims.subject
        }
        // A hint that cannot be verified, as after a change of keys, names no user who could be signed in already.
        if let hint, let named = hint.ascii(atMost: TokenIssuer.maximumTokenLength).flatMap(subjectOfHint) {
            guard subject.map({ $0.hasSameBytes(as: named) }) ?? true else {
                throw AppError("invalid_request", "id_token_hint and claims name two subjects.")
            }
            subject = named
        } else if hint != nil, isSilent {
            throw .loginRequired
        }
        if let subject { requirements.require(subject: subject) }
        return requirements
    }

    /// Returns the parameters that are passed on to a provider: those that it allows, each short and printable.
    /// - Throws: The error for the app.
    func passedOn(allowed: ParameterNames) throws(AppError) -> [(name: String, value: String)] {
        var passed: [(name: String, value: String)] = []
        for index in parameters.all.indices {
            guard let name = allowed.name(equalTo: parameters.all[index].name) else { continue }
            let parameter = parameters.all[index]
            guard !parameter.value.isEmpty else { continue }
            guard parameter.value.utf8.count <= Self.maximumParameterLength, !parameter.value.hasControlCharacters
            else {
                throw AppError(
                    "invalid_request",
                    "\(name) is longer than \(Self.maximumParameterLength) bytes or not printable.")
            }
            passed.append((name: name, value: parameter.value.makeString()))
        }
        return passed
    }

    /// Checks whether an app may set an additional parameter.
    /// - Returns: The name if the app must not set it; otherwise `nil`.
    private static func refusal(of name: WireText) -> String? {
        guard !own.contains(name),
            let name = name.ascii(atMost: AuthorizationRequest.longestReservedName),
            AuthorizationRequest.isReserved(name)
        else { return nil }
        return name
    }

    /// The parameters that are read here, which are looked up in one pass.
    private enum Name: Int, CaseIterable {
        case state, responseType, responseMode, codeChallengeMethod, codeChallenge, nonce, scope, maximumAge, prompt
        case provider, claims, idTokenHint, userInterfaceLocales, request, requestURI, registration

        var text: String {
            switch self {
            case .state: "state"
            case .responseType: "response_type"
            case .responseMode: "response_mode"
            case .codeChallengeMethod: "code_challenge_method"
            case .codeChallenge: "code_challenge"
            case .nonce: "nonce"
            case .scope: "scope"
            case .maximumAge: "max_age"
            case .prompt: "prompt"
            case .provider: "provider"
            case .claims: "claims"
            case .idTokenHint: "id_token_hint"
            case .userInterfaceLocales: "ui_locales"
            case .request: "request"
            case .requestURI: "request_uri"
            case .registration: "registration"
            }
        }

        /// Parameters that have an error code of their own (OpenID Connect Core 1.0 section 3.1.2.6).
        static let unsupported: [Name] = [.request, .requestURI, .registration]
    }

    private static let names = ParameterNames(Name.allCases.map(\.text))

    /// The reserved names that an app's own request contains.
    private static let own = ParameterNames([
        "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "nonce", "code_challenge",
        "code_challenge_method", "claims", "id_token_hint",
    ])
}
