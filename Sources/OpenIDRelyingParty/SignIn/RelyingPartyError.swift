// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

/// Why a sign-in came to nothing: the step, and what was wrong there. Never holds a token, a code or a secret.
///
/// Two errors are equal if they say the same of the same step; where a request went is for a person, and not compared.
public struct RelyingPartyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where in a sign-in something went wrong.
    public struct Step: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case discovery
            case authorization
            case token
            case keySet = "key_set"
            case idToken = "id_token"
            case userInfo = "user_info"
            case pushedAuthorization = "pushed_authorization"
            case refresh
            case revocation
            case userMigration = "user_migration"
        }

        private let name: Name

        private init(_ name: Name) {
            self.name = name
        }

        /// The provider's metadata.
        public static let discovery = Step(.discovery)
        /// The authorization response, which the browser brought.
        public static let authorization = Step(.authorization)
        /// The code exchange.
        public static let token = Step(.token)
        /// The provider's keys.
        public static let keySet = Step(.keySet)
        /// The ID token itself.
        public static let idToken = Step(.idToken)
        /// UserInfo.
        public static let userInfo = Step(.userInfo)
        /// The pushed authorization request (RFC 9126).
        public static let pushedAuthorization = Step(.pushedAuthorization)
        /// The refresh of tokens.
        public static let refresh = Step(.refresh)
        /// The revocation of a token (RFC 7009).
        public static let revocation = Step(.revocation)
        /// The translation of subjects where an app moves to another team at the provider.
        public static let userMigration = Step(.userMigration)

        public var description: String { name.rawValue }
    }

    private enum Code: Hashable {
        case transport(ProviderTransportError)
        case provider(ProviderError)
        case unusable(String)
        case status(Int)
        case issuerMissing
        case issuerMismatch
        case token(String)
        case finding(IDTokenFinding)
    }

    /// Where it went wrong.
    public let step: Step
    private let code: Code
    /// Where the request went, where it was one.
    private var url: AbsoluteURL?

    private init(_ step: Step, _ code: Code, _ url: AbsoluteURL? = nil) {
        self.step = step
        self.code = code
        self.url = url
    }

    package static func transport(_ step: Step, _ error: ProviderTransportError, at url: AbsoluteURL? = nil) -> Self {
        .init(step, .transport(error), url)
    }
    package static func provider(_ step: Step, _ error: ProviderError) -> Self { .init(step, .provider(error)) }
    package static func unusable(_ step: Step, _ reason: String) -> Self { .init(step, .unusable(reason)) }
    package static func status(_ step: Step, _ status: Int) -> Self { .init(step, .status(status)) }
    package static let issuerMissing = RelyingPartyError(.authorization, .issuerMissing)
    package static let issuerMismatch = RelyingPartyError(.authorization, .issuerMismatch)
    package static func token(_ reason: String) -> Self { .init(.idToken, .token(reason)) }
    package static func finding(_ finding: IDTokenFinding) -> Self { .init(.idToken, .finding(finding)) }

    /// What a token endpoint's answer came to nothing for.
    package static func answer(_ error: TokenResponseError, _ step: Step) -> Self {
        if let refusal = error.providerError { return .provider(step, refusal) }
        if let status = error.status { return .status(step, status) }
        return .unusable(step, "\(error)")
    }

    /// The same, with where the request went; what is known already stays.
    package func at(_ url: AbsoluteURL) -> Self { .init(step, code, self.url ?? url) }

    public static func == (left: Self, right: Self) -> Bool { left.step == right.step && left.code == right.code }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(step)
        hasher.combine(code)
    }

    /// The OAuth error the provider sent, where that is what happened.
    public var providerError: ProviderError? {
        if case .provider(let error) = code { error } else { nil }
    }

    /// What a check of the ID token found, where that is what happened.
    public var finding: IDTokenFinding? {
        if case .finding(let finding) = code { finding } else { nil }
    }

    /// The provider, or the way to it, is down: the same sign-in started anew may succeed.
    public var isTemporary: Bool {
        switch code {
        case .transport(let error):
            [.unreachable, .connectTimedOut, .timedOut, .interrupted, .circuitOpen, .tooManyWaiting]
                .contains(error)
        case .status(let status): status == 429 || status >= 500
        case .provider(let error): error.code == "temporarily_unavailable"
        default: false
        }
    }

    /// The request could not be sent because the address is not allowed.
    package var isAddressRefused: Bool { code == .transport(.addressRefused) }

    public var description: String {
        guard let url else { return reason }
        // Never the query. The text is visible ASCII; the quote that ends it is not part of it.
        let place = (url.origin + url.path).utf8.prefix(Self.longestPlace).map { $0 == 0x27 ? 0x3F : $0 }
        return "\(reason) ('\(String(decoding: place, as: UTF8.self))')"
    }

    /// The most of a URL that is shown, bytes.
    private static let longestPlace = 256

    private var reason: String {
        switch code {
        case .transport(let error): "\(step): \(error)"
        case .provider(let error): "\(step): the provider answered '\(error.code)'"
        case .unusable(let reason): "\(step): \(reason)"
        case .status(let status): "\(step): status \(status)"
        case .issuerMissing: "\(step): 'iss' is missing although the provider announces it"
        case .issuerMismatch: "\(step): 'iss' is of another issuer"
        case .token(let reason): "\(step): \(reason)"
        case .finding(let finding): "\(step): \(finding)"
        }
    }
}
