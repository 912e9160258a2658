// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// An authorization request of an app, apart from the client ID and redirect URI, read strictly (OpenID Connect Core
/// 1.0 section 3.1.2.1, RFC 7636 section 4.3).
struct AppAuthorizationRequest {
    /// The maximum length of an app's `state`, in bytes.
    static let maximumStateLength = 512
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

    /// Returns the `state` for an error response to a request that is refused; `nil` if it is not acceptable itself.
    static func state(of parameters: Parameters) -> String? {
        (try? parameters.value("state"))?.printableASCII(atMost: maximumStateLength)
    }

    /// Returns the response mode for the response to a request; that of a code if the requested one cannot be used.
    static func responseMode(of parameters: Parameters, at redirectURI: RedirectURI) -> ResponseMode {
        guard let name = (try? parameters.nonEmptyValue("response_mode"))??.ascii(atMost: 16) else { return .query }
        guard let mode = ResponseMode(name: name), mode != .formPost || redirectURI.kind != .privateUse else {
            return .query
        }
        return mode
    }

    /// - Parameters:
    ///   - codeBinding: How the app's codes are bound to the request.
    ///   - subject: A closure that returns the subject of an `id_token_hint`; `nil` if it is not an ID token of the
    ///     app.
    /// - Throws: The error for the app.
    init(
        _ parameters: Parameters, redirectURI: RedirectURI, codeBinding: BrokerConfiguration.CodeBinding,
        subjectOfHint subject: (String) -> String?
    ) throws(AppError) {
        if let name = parameters.firstDuplicateName {
            throw AppError("invalid_request", "\(ParametersError.duplicate(name)).")
        }
        func value(_ name: String, maximum: Int) throws(AppError) -> String? {
            guard let value = try? parameters.value(name) else { return nil }
            guard let value = value.printableASCII(atMost: maximum) else {
                throw AppError("invalid_request", "\(name) is longer than \(maximum) bytes or not printable ASCII.")
            }
            return value
        }
        func choice(_ name: String) -> WireText? { (try? parameters.nonEmptyValue(name)) ?? nil }

        state = try value("state", maximum: Self.maximumStateLength)
        // First of all, as the certification of OpenID Providers expects it.
        for (name, error) in Self.unsupported where parameters.contains(name) {
            throw AppError(error, "\(name) is not supported.")
        }
        guard let responseType = choice("response_type") else {
            throw AppError("invalid_request", "response_type is missing.")
        }
        guard responseType == "code" else {
            throw AppError("unsupported_response_type", "response_type must be code.")
        }
        let responseMode = Self.responseMode(of: parameters, at: redirectURI)
        guard choice("response_mode").map({ $0.hasSameBytes(asASCII: responseMode.name) }) ?? true else {
            throw AppError(
                "invalid_request", "response_mode must be query, fragment or, for a web address, form_post.")
        }
        if let refused = parameters.all.lazy.compactMap({ Self.refusal(of: $0.name) }).first {
            throw AppError("invalid_request", "\(refused) is not accepted here.")
        }
        let method = choice("code_challenge_method")
        let challenge = choice("code_challenge")
        if codeBinding == .nonce, method == nil, challenge == nil {
            guard choice("nonce") != nil else {
                throw AppError("invalid_request", "nonce is missing: it is required without a code_challenge.")
            }
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
        nonce = try value("nonce", maximum: Self.maximumNonceLength)
        scopes = Scopes.split(choice("scope") ?? "openid")
        guard scopes.contains("openid") else { throw AppError("invalid_scope", "scope must contain openid.") }
        if let age = choice("max_age") {
            guard let age = age.ascii(atMost: 20), let seconds = Int64(age), (0...(1 << 40)).contains(seconds),
                age.utf8.allSatisfy({ $0 >= 0x30 })
            else {
                throw AppError("invalid_request", "max_age must be a number of seconds.")
            }
            maximumAge = seconds
        } else {
            maximumAge = nil
        }
        let prompts = Scopes.split(choice("prompt") ?? "")
        isSilent = prompts.contains { $0.hasSameBytes(as: "none") }
        // "none" in combination with another value is an error (OpenID Connect Core 1.0 section 3.1.2.1).
        guard !isSilent || prompts.count == 1 else {
            throw AppError("invalid_request", "prompt must be none alone, or without it.")
        }
        provider = choice("provider")
        requirements = try Self.requirements(
            responseMode, claims: choice("claims"), hint: choice("id_token_hint"), subjectOfHint: subject)
        self.parameters = parameters
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

    private static func requirements(
        _ responseMode: ResponseMode, claims: WireText?, hint: WireText?, subjectOfHint: (String) -> String?
    ) throws(AppError) -> LoginRequirements {
        var requirements = LoginRequirements()
        requirements.responseMode = responseMode
        var subject: String?
        if let claims {
            let claims = try RequestedClaims(claims)
            requirements.requestsEmail = claims.hasEmail
            requirements.requestsProfile = claims.hasProfile
            subject = claims.subject
        }
        if let hint {
            guard let named = hint.ascii(atMost: TokenIssuer.maximumTokenLength).flatMap(subjectOfHint) else {
                throw AppError("invalid_request", "id_token_hint is not an ID token of this app.")
            }
            guard subject.map({ $0.hasSameBytes(as: named) }) ?? true else {
                throw AppError("invalid_request", "id_token_hint and claims name two subjects.")
            }
            subject = named
        }
        if let subject { requirements.require(subject: subject) }
        return requirements
    }

    /// Returns the parameters that are passed on to a provider: those that it allows, each short and printable.
    /// - Throws: The error for the app.
    func passedOn(allowed: [String]) throws(AppError) -> [(name: String, value: String)] {
        var passed: [(name: String, value: String)] = []
        for parameter in parameters.all where !parameter.value.isEmpty {
            guard let name = allowed.first(where: { parameter.name.hasSameBytes(asASCII: $0) }) else { continue }
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
        guard !own.contains(where: { name.hasSameBytes(asASCII: $0) }),
            let name = name.ascii(atMost: AuthorizationRequest.longestReservedName),
            AuthorizationRequest.isReserved(name)
        else { return nil }
        return name
    }

    /// Parameters that have an error code of their own (OpenID Connect Core 1.0 section 3.1.2.6).
    private static let unsupported = [
        ("request", "request_not_supported"), ("request_uri", "request_uri_not_supported"),
        ("registration", "registration_not_supported"),
    ]

    /// The reserved names that an app's own request contains.
    private static let own = [
        "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "nonce", "code_challenge",
        "code_challenge_method", "claims", "id_token_hint",
    ]
}
