// SPDX-License-Identifier: Apache-2.0

package import JOSE

extension BrokerConfiguration {
    /// A further claim of a provider that its apps get: an entry of `auth.provider.<name>.claims`, written as `name` or
    /// `name=path`.
    public struct ProviderClaim: Sendable, Hashable, CustomStringConvertible {
        /// The name by which apps get the claim: 1 to 128 letters, digits and `-`, `.`, `_`, `:`, `/`.
        public var name: String
        /// The provider's name of the claim, or its path through objects with dots, such as `realm_access.roles`; 1 to 256
        /// visible ASCII characters. A claim of exactly this name precedes a path.
        public var path: String

        /// Creates a claim.
        ///
        /// - Parameters:
        ///   - name: The name by which apps get the claim.
        ///   - path: The provider's name or path; `nil` for the same name.
        public init(_ name: String, path: String? = nil) {
            self.name = name
            self.path = path ?? name
        }

        /// Creates a claim from an entry of the configuration, which is split at its first `=`. What is wrong with it is
        /// found by the validation.
        package init(entry: String) {
            let parts = entry.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            self.init(String(Substring(parts[0])), path: parts.count == 2 ? String(Substring(parts[1])) : nil)
        }

        /// The entry as it is written in the configuration.
        public var description: String { path == name ? name : "\(name)=\(path)" }
    }
}

/// Why a claim cannot be handed on to an app. It has the name of the claim, and nothing of its value.
package struct ClaimError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Creates an error from its description.
    package init(_ description: String) { self.description = description }
}

extension BrokerConfiguration.ProviderClaim {
    /// The maximum length of a claim in an ID token, in bytes of its JSON text.
    package static let maximumLength = 2048
    /// The maximum length of the claims that are kept with the identity of a user, in bytes of the JSON text of all of them.
    package static let maximumKeptLength = 32_768

    /// Returns the value among the claims of a provider; `nil` if it is absent or blank.
    fileprivate func value(in claims: JSONObject) -> JSONValue? {
        if let value = claims.present(path) { return value }
        let names = path.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
        guard names.count > 1, let last = names.last else { return nil }
        var object = claims
        for name in names.dropLast() {
            guard let next = object[name]?.objectValue else { return nil }
            object = next
        }
        return object.present(last)
    }

    /// Returns whether the provider says that the claim is elsewhere (OpenID Connect Core 1.0 section 5.6.2), as Entra does
    /// with the groups of a user who has too many. Nothing is fetched from there.
    fileprivate func isElsewhere(in claims: JSONObject) -> Bool {
        guard let names = claims["_claim_names"]?.objectValue else { return false }
        return names[path] != nil
            || path.utf8.split(separator: UInt8(ascii: ".")).first.map {
                names[String(Substring($0))] != nil
            } ?? false
    }
}

extension [BrokerConfiguration.ProviderClaim] {
    /// Returns the configured claims of a verified sign-in by the names that apps know, as they are. A list that is too
    /// long is not cut.
    /// - Parameters:
    ///   - claims: The provider's own claims.
    ///   - kept: The names of those that may be too long for an ID token, as they are kept with the identity of the user.
    /// - Throws: ``ClaimError`` for a claim that is too long, or that the provider has elsewhere.
    package func picked(from claims: JSONObject, keeping kept: [String] = []) throws(ClaimError) -> JSONObject {
        var picked = JSONObject()
        for claim in self {
            guard let value = claim.value(in: claims) else {
                guard !claim.isElsewhere(in: claims) else {
                    throw ClaimError("'\(claim.name)' is in '_claim_names': the provider does not send it itself")
                }
                continue
            }
            guard kept.contains(claim.name) || value.serialized().count <= Element.maximumLength else {
                throw ClaimError("'\(claim.name)' is longer than \(Element.maximumLength) bytes")
            }
            picked[claim.name] = value
        }
        guard kept.isEmpty || picked.serialized().count <= Element.maximumKeptLength else {
            let names = namesOfFurther.filter { picked[$0] != nil }.map { "'\($0)'" }.joined(separator: ", ")
            throw ClaimError("the claims, with \(names), are longer than \(Element.maximumKeptLength) bytes")
        }
        return picked
    }

    /// The names of the claims that OpenID Connect has not defined. No scope is needed for them, and they may be kept with
    /// the identity of a user.
    package var namesOfFurther: [String] { map(\.name).filter { !Element.standard.contains($0) } }

    /// Returns the claims by which an app decides about a sign-in: the configured ones, as ``picked(from:keeping:)`` returns
    /// them, and `email_verified` as a Boolean. See ``BrokerConfiguration/RequiredClaims``.
    package func deciding(from claims: JSONObject, keeping kept: [String] = []) throws(ClaimError) -> JSONObject {
        var deciding = try picked(from: claims, keeping: kept)
        deciding["email_verified"] = .bool(Self.hasVerifiedEmail(claims))
        return deciding
    }

    /// Returns whether a provider vouches for the email among its claims. Some write the Boolean as a text.
    package static func hasVerifiedEmail(_ claims: JSONObject) -> Bool {
        let verified = claims["email_verified"]
        return claims["email"]?.text?.isEmpty == false
            && (verified?.boolValue == true || verified?.text?.hasSameBytes(asASCII: "true") == true)
    }
}
