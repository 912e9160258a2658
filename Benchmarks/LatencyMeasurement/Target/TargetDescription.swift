// SPDX-License-Identifier: Apache-2.0

/// A target with all texts expanded that are the same for all sign-ins.
package struct TargetDescription: Sendable, Hashable {
    /// The name in tables.
    package let name: String
    /// Scheme, host and port.
    package let base: String
    /// The value of the Host field.
    package let host: String
    /// The request that begins a sign-in.
    package let start: RequestTemplate
    /// The conditions on its response.
    package let startExpectation: Expectation
    /// The prefix of the start's redirect.
    package let authorizePrefix: Template
    /// The header fields of the callback request.
    package let callbackHeaders: FieldTemplates
    /// The conditions on the response to the callback.
    package let callbackExpectation: Expectation
    /// The request that converts the credential into the subject.
    package let redeem: RequestTemplate?
    /// The conditions on its response.
    package let redeemExpectation: Expectation?
    /// Whether cookies are kept between sign-ins.
    package let keepsCookies: Bool
    /// Whether a spoiled ID token must be refused.
    package let isValidating: Bool

    /// Expands a target file.
    ///
    /// - Throws: ``TargetFileError``.
    package init(_ file: TargetFile, variables: TargetVariables, issuers: [String]) throws(TargetFileError) {
        var fixed = variables.byName
        if issuers.count == 1, let issuer = issuers.first {
            fixed[TargetVariables.Name.issuer.rawValue] = issuer
            fixed[SignInVariable.provider.rawValue] = "0"
        } else {
            fixed[TargetVariables.Name.issuer.rawValue] = nil
        }
        name = file.name
        base = try Template.expanded(file.base, fixed: fixed)
        if let host = file.host {
            self.host = try Template.expanded(host, fixed: fixed)
        } else {
            host = String(base.drop { $0 != ":" }.dropFirst(3))
        }
        let prefix = issuers.count == 1 ? file.authorizePrefix : Self.forAnyIssuer(file.authorizePrefix)
        authorizePrefix = try Template(prefix, fixed: fixed)
        start = try RequestTemplate(file.start, fixed: fixed)
        startExpectation = try Expectation(file.start, fixed: fixed)
        callbackHeaders = try FieldTemplates(file.callback.headers, fixed: fixed)
        callbackExpectation = try Expectation(file.callback, fixed: fixed)
        if let step = file.redeem {
            redeem = try RequestTemplate(step, fixed: fixed)
            redeemExpectation = try Expectation(step, fixed: fixed)
        } else {
            redeem = nil
            redeemExpectation = nil
        }
        keepsCookies = file.keepsCookies ?? false
        isValidating = file.isValidating
    }

    /// With several providers the issuer differs between sign-ins.
    private static func forAnyIssuer(_ text: String) -> String {
        let mark = "${\(TargetVariables.Name.issuer.rawValue)}"
        guard text.hasPrefix(mark) else { return text }
        return "${\(TargetVariables.Name.provider.rawValue)}/p${\(SignInVariable.provider.rawValue)}"
            + text.dropFirst(mark.count)
    }
}
