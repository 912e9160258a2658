// SPDX-License-Identifier: Apache-2.0

import JOSE
public import OpenIDConnect

/// The error with which a sign-in failed: the step and what was wrong there. It never contains a token, a code or a
/// secret.
///
/// Two errors are equal if their step and reason are equal. The URL of the request, and what the provider said, are shown
/// in the description but not compared.
public struct RelyingPartyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The step of a sign-in in which an error occurred.
    public struct Step: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The fetch of the provider's metadata.
        public static let discovery = Step("discovery")
        /// The authorization response, which the user agent delivers.
        public static let authorization = Step("authorization")
        /// The code exchange.
        public static let token = Step("token")
        /// The fetch of the provider's keys.
        public static let keySet = Step("key_set")
        /// The validation of the ID token.
        public static let idToken = Step("id_token")
        /// The UserInfo request.
        public static let userInfo = Step("user_info")
        /// The pushed authorization request (RFC 9126).
        public static let pushedAuthorization = Step("pushed_authorization")
        /// The refresh of tokens.
        public static let refresh = Step("refresh")
        /// The revocation of a token (RFC 7009).
        public static let revocation = Step("revocation")
        /// The translation of subjects when an app moves to another team at the provider.
        public static let userMigration = Step("user_migration")

        public var description: String { name }
    }

    /// The stable code of an error, to be matched on. More codes may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The provider could not be asked, or did not respond; see ``RelyingPartyError/transportError``.
        public static let unreachable = Code("unreachable")
        /// The provider sent an OAuth error; see ``RelyingPartyError/providerError``.
        public static let providerError = Code("provider_error")
        /// The provider responded with another status than the step's; see ``RelyingPartyError/status``.
        public static let unexpectedStatus = Code("unexpected_status")
        /// What the provider or the user agent sent cannot be used, or this client is not configured for the step.
        public static let unusableResponse = Code("unusable_response")
        /// `iss` is missing although the provider announces it (RFC 9207 section 2.4).
        public static let issuerMissing = Code("issuer_missing")
        /// `iss` is of another issuer (RFC 9207 section 2.4).
        public static let issuerMismatch = Code("issuer_mismatch")
        /// The ID token cannot be read, its signature is not the provider's, or a check failed; see
        /// ``RelyingPartyError/finding``.
        public static let invalidIDToken = Code("invalid_id_token")

        public var description: String { name }
    }

    private enum Reason: Hashable {
        case transport(ProviderTransportError)
        case provider(ProviderError)
        case unusable(String)
        case status(Int)
        case issuerMissing
        case issuerMismatch
        case token(String)
        case finding(IDTokenFinding)
    }

    /// The step in which the error occurred.
    public let step: Step
    private let reason: Reason
    /// The URL of the request, if the error is that of a request.
    private var url: Uncompared<AbsoluteURL?>
    /// What the provider said, as far as it may be shown.
    private var saying: Uncompared<String?>
    /// What the operator may change.
    private var advice: Uncompared<String?> = Uncompared(nil)

    private init(_ step: Step, _ reason: Reason) {
        self.step = step
        self.reason = reason
        url = Uncompared(nil)
        saying = Uncompared(nil)
    }

    package static func transport(_ step: Step, _ error: ProviderTransportError, at url: AbsoluteURL? = nil) -> Self {
        let failure = Self(step, .transport(error))
        return url.map { failure.at($0) } ?? failure
    }
    package static func provider(_ step: Step, _ error: ProviderError) -> Self { .init(step, .provider(error)) }
    package static func unusable(_ step: Step, _ reason: String) -> Self { .init(step, .unusable(reason)) }
    package static func status(_ step: Step, _ status: Int) -> Self { .init(step, .status(status)) }
    package static let issuerMissing = RelyingPartyError(.authorization, .issuerMissing)
    package static let issuerMismatch = RelyingPartyError(.authorization, .issuerMismatch)
    package static func token(_ reason: String) -> Self { .init(.idToken, .token(reason)) }
    package static func finding(_ finding: IDTokenFinding) -> Self { .init(.idToken, .finding(finding)) }

    /// Creates the error for a token response that could not be used.
    package static func tokenResponse(_ error: TokenResponseError, _ step: Step) -> Self {
        if let refusal = error.providerError { return .provider(step, refusal) }
        if let status = error.status { return .status(step, status) }
        return .unusable(step, "\(error)")
    }

    /// Returns the same error with the URL of the request, unless it already has one.
    package func at(_ url: AbsoluteURL) -> Self {
        var other = self
        other.url = Uncompared(self.url.value ?? url)
        return other
    }

    /// Returns the same error with what the provider said, which may be shown; see `ShownExplanation`.
    func saying(_ text: String?) -> Self {
        var other = self
        other.saying = Uncompared(text)
        return other
    }

    /// Returns the same error with what the operator may change.
    func advising(_ text: String?) -> Self {
        var other = self
        other.advice = Uncompared(text)
        return other
    }

    /// The stable code of this error.
    public var code: Code {
        switch reason {
        case .transport: .unreachable
        case .provider: .providerError
        case .status: .unexpectedStatus
        case .unusable: .unusableResponse
        case .issuerMissing: .issuerMissing
        case .issuerMismatch: .issuerMismatch
        case .token, .finding: .invalidIDToken
        }
    }

    /// The error of the transport, if that is the reason.
    public var transportError: ProviderTransportError? {
        if case .transport(let error) = reason { error } else { nil }
    }

    /// The status with which the provider responded, if that is the reason.
    public var status: Int? {
        if case .status(let status) = reason { status } else { nil }
    }

    /// The OAuth error that the provider sent, if that is the reason.
    public var providerError: ProviderError? {
        if case .provider(let error) = reason { error } else { nil }
    }

    /// The finding of a check of the ID token, if that is the reason.
    public var finding: IDTokenFinding? {
        if case .finding(let finding) = reason { finding } else { nil }
    }

    /// Whether the provider is unavailable or unreachable, so that the same sign-in may succeed later.
    public var isTemporary: Bool {
        switch reason {
        case .transport(let error):
            [.unreachable, .connectTimedOut, .timedOut, .interrupted, .circuitOpen, .tooManyWaiting]
                .contains(error)
        case .status(let status): status == 429 || status >= 500
        case .provider(let error): error.code == "temporarily_unavailable"
        default: false
        }
    }

    /// Whether the request was not sent because the address is not allowed.
    package var isAddressRefused: Bool { reason == .transport(.addressRefused) }

    public var description: String {
        described + (advice.value.map { "; \($0)" } ?? "")
    }

    private var described: String {
        let text = saying.value.map { "\(reasonText): '\($0)'" } ?? reasonText
        guard let url = url.value else { return text }
        // The query is never shown. The text is visible ASCII, and the quote that delimits it is replaced.
        let place = (url.origin + url.path).utf8.prefix(Self.longestPlace).map { $0 == 0x27 ? 0x3F : $0 }
        return "\(text) ('\(String(decoding: place, as: UTF8.self))')"
    }

    /// The maximum length of the URL that is shown, in bytes.
    private static let longestPlace = 256

    private var reasonText: String {
        switch reason {
        case .transport(let error): "\(step): \(error)"
        case .provider(let error): "\(step): the provider responded with '\(error.code)'"
        case .unusable(let reason): "\(step): \(reason)"
        case .status(let status): "\(step): the provider responded with status \(status)"
        case .issuerMissing: "\(step): 'iss' is missing although the provider announces it"
        case .issuerMismatch: "\(step): 'iss' names another issuer"
        case .token(let reason): "\(step): \(reason)"
        case .finding(let finding): "\(step): \(finding)"
        }
    }
}
