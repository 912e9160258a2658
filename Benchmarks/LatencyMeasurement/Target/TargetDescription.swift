// SPDX-License-Identifier: Apache-2.0

/// A target as the load drives it: every text that is the same for all sign-ins filled in.
package struct TargetDescription: Sendable, Hashable {
    /// What the tables call it.
    package let name: String
    /// Scheme, host and port.
    package let base: String
    /// The Host field.
    package let host: String
    /// The request that begins a sign-in.
    package let start: RequestTemplate
    /// What its response must be.
    package let startExpectation: Expectation
    /// What the start's redirect begins with.
    package let authorizePrefix: Template
    /// Fields of the callback's request.
    package let callbackHeaders: [HTTP1Message.Field]
    /// What the callback's answer must be.
    package let callbackExpectation: Expectation
    /// What turns the credential into the subject.
    package let redeem: RequestTemplate?
    /// What its response must be.
    package let redeemExpectation: Expectation?
    /// Whether cookies are kept from one sign-in to the next.
    package let keepsCookies: Bool
    /// Whether a spoiled ID token must be refused.
    package let isValidating: Bool

    /// Fills a target file in.
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
        callbackHeaders = try RequestTemplate.fields(file.callback.headers, fixed: fixed)
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

    /// With several providers the issuer differs from one sign-in to the next.
    private static func forAnyIssuer(_ text: String) -> String {
        let mark = "${\(TargetVariables.Name.issuer.rawValue)}"
        guard text.hasPrefix(mark) else { return text }
        return "${\(TargetVariables.Name.provider.rawValue)}/p${\(SignInVariable.provider.rawValue)}"
            + text.dropFirst(mark.count)
    }
}
