// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerRecords

/// The `claims` parameter of an app's request (OpenID Connect Core 1.0 section 5.5), as far as the broker has the claims.
/// Requests for others are ignored, as section 5.5.1 has it for claims that are not essential.
struct RequestedClaims {
    /// The maximum length of the parameter, in bytes.
    static let maximumLength = 2048

    /// Whether a claim about the email is requested.
    private(set) var hasEmail = false
    /// Whether a claim of scope `profile` is requested.
    private(set) var hasProfile = false
    /// Whether `auth_time` is essential: then it must be returned (OpenID Connect Core 1.0 section 2).
    private(set) var requiresAuthTime = false
    /// The subject that the ID token must have; `nil` for any.
    private(set) var subject: String?

    private static let email = ["email", "email_verified", "is_private_email"]

    /// - Throws: The error for the app if the parameter is not an object of the form of section 5.5, or requires what the
    ///   broker cannot ensure.
    init(_ text: WireText) throws(AppError) {
        guard text.utf8.count <= Self.maximumLength,
            let request = try? JSONParser.object(
                Array(text.utf8), limits: JSONLimits(maximumBytes: Self.maximumLength, maximumDepth: 6))
        else { throw Self.error("claims is not a JSON object of at most \(Self.maximumLength) bytes.") }
        for place in ["userinfo", "id_token"] {
            guard let value = request[place], value != .null else { continue }
            guard let claims = value.objectValue else { throw Self.error("\(place) in claims must be an object.") }
            for member in claims.members {
                guard member.value == .null || member.value.objectValue != nil else {
                    throw Self.error("each member of \(place) in claims must be null or an object.")
                }
                try add(member.name, member.value.objectValue)
            }
        }
    }

    private mutating func add(_ name: WireText, _ request: JSONObject?) throws(AppError) {
        if Self.email.contains(where: { name.hasSameBytes(asASCII: $0) }) { hasEmail = true }
        if BrokerConfiguration.ProviderClaim.ofProfile.contains(where: { name.hasSameBytes(asASCII: $0) }) {
            hasProfile = true
        }
        if name == "auth_time", request?["essential"]?.boolValue == true { requiresAuthTime = true }
        if name == "acr", request?["essential"]?.boolValue == true {
            throw Self.error("acr cannot be essential: it depends on the provider.")
        }
        guard name == "sub", let value = request?["value"] else { return }
        guard let subject = value.text?.visibleASCII(atMost: 255) else {
            throw Self.error("the value of sub in claims must be a subject.")
        }
        guard self.subject.map({ $0.hasSameBytes(as: subject) }) ?? true else {
            throw Self.error("claims names two subjects.")
        }
        self.subject = subject
    }

    private static func error(_ description: String) -> AppError { AppError("invalid_request", description) }
}
