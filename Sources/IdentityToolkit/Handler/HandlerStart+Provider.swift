// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

// What of a start goes on to the provider.
extension HandlerStart {
    /// The parameter that says which pages the provider shows (OpenID Connect Core 1.0 section 3.1.2.1).
    static let prompt = "prompt"

    /// Whether the provider is asked to show no page. A list in which `none` stands beside others counts as well: the
    /// provider must refuse it, and may not.
    var isSilent: Bool {
        customParameters.contains { parameter in
            parameter.name.hasSameBytes(as: Self.prompt) && Scopes.split(WireText(parameter.value)).contains("none")
        }
    }

    /// The `customParameters` without ``prompt``.
    var parametersWithoutPrompt: [CustomParameter] {
        customParameters.filter { !$0.name.hasSameBytes(as: Self.prompt) }
    }

    /// Returns the parameters for the provider: the `customParameters`, and the language of the user where the
    /// provider allows it and the app did not set it itself.
    /// - Parameters:
    ///   - languageName: The name of the parameter for the language: `ui_locales`, or `locale` for Apple.
    ///   - isAllowed: Whether an app may set a parameter at the provider.
    /// - Throws: The name that is reserved or not allowed.
    func parameters(
        languageAs languageName: String, isAllowed: (WireText) -> Bool
    ) throws(HandlerStartError) -> [CustomParameter] {
        var parameters: [CustomParameter] = []
        var hasLanguage = false
        for parameter in customParameters {
            guard !AuthorizationRequest.isReserved(parameter.name), isAllowed(WireText(parameter.name)) else {
                throw HandlerStartError(.notAllowed, .customParameters, member: parameter.name)
            }
            if parameter.name.hasSameBytes(as: languageName) { hasLanguage = true }
            // An empty value is as good as none (RFC 6749 section 3.1).
            if !parameter.value.isEmpty { parameters.append(parameter) }
        }
        if let language, !hasLanguage, isAllowed(WireText(languageName)) {
            parameters.append((name: languageName, value: language))
        }
        return parameters
    }

    /// Returns the scopes that are asked for beyond those of every login.
    /// - Parameters:
    ///   - asked: The scopes of every login at the provider.
    ///   - allowed: The scopes that an app may ask for beside them.
    /// - Throws: The scope that is in neither list.
    func additionalScopes(beyond asked: [String], allowed: [String]) throws(HandlerStartError) -> [String] {
        var additional: [String] = []
        for scope in scopes where !asked.contains(where: { scope.hasSameBytes(as: $0) }) {
            guard allowed.contains(where: { scope.hasSameBytes(as: $0) }) else {
                let isShort = scope.utf8.count <= HandlerStartError.longestMember
                throw HandlerStartError(.notAllowed, .scopes, member: isShort ? scope : nil)
            }
            additional.append(scope)
        }
        return additional
    }
}
