// SPDX-License-Identifier: Apache-2.0

package import BrowserTesting

/// The conditions on a response for a sign-in to continue or to count.
package struct Expectation: Sendable, Hashable {
    private struct Value: Sendable, Hashable {
        let name: String
        let text: Template
    }

    private let statuses: [Int]
    private let locationPrefix: Template?
    private let locationParameters: [Value]
    private let locationExcludes: String?
    private let codeParameter: String?
    private let cookiePrefix: String?
    private let cookieBytes: Int
    private let bodyContains: Template?
    private let claims: [Value]

    /// Reads the conditions of a step.
    ///
    /// - Throws: ``TargetFileError``.
    package init(_ step: TargetFile.Step, fixed: [String: String]) throws(TargetFileError) {
        statuses = step.status ?? [302, 303]
        if let prefix = step.locationPrefix {
            locationPrefix = try Template(prefix, fixed: fixed)
        } else {
            locationPrefix = nil
        }
        locationParameters = try Self.values(step.locationParameters, fixed)
        locationExcludes = step.locationExcludes
        codeParameter = step.codeParameter
        cookiePrefix = step.setCookie
        cookieBytes = max(step.setCookieBytes ?? 1, 1)
        if let text = step.bodyContains {
            bodyContains = try Template(text, fixed: fixed)
        } else {
            bodyContains = nil
        }
        claims = try Self.values(step.idTokenClaims, fixed)
    }

    /// Validates a response, stores its cookies, and extracts the credential.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - values: The values of the sign-in. ``SignInValues/code`` is set if the response must carry one.
    ///   - jar: The cookies.
    /// - Returns: The error, in words that contain nothing of the request; `nil` if the response is as expected.
    package func fault(in response: TargetResponse, values: inout SignInValues, jar: inout CookieJar) -> String? {
        guard statuses.contains(response.status) else { return "status \(response.status)" }
        var isCookieSet = cookiePrefix == nil
        for setCookie in response.setCookies {
            guard let cookie = jar.store(setCookie) else { continue }
            if let cookiePrefix, cookie.name.hasPrefix(cookiePrefix), cookie.value.utf8.count >= cookieBytes {
                isCookieSet = true
            }
        }
        guard isCookieSet else { return "no cookie" }
        if let fault = faultInLocation(response.location, values: &values) { return fault }
        if let bodyContains, response.body.firstRange(ofBytes: bodyContains.text(values).utf8) == nil {
            return "wrong body"
        }
        return claims.isEmpty ? nil : faultInIDToken(response.body, values)
    }

    private func faultInLocation(_ location: String?, values: inout SignInValues) -> String? {
        if let locationPrefix {
            guard let location, location.hasPrefix(locationPrefix.text(values)) else { return "wrong Location" }
        }
        if let locationExcludes, let location, location.utf8.firstRange(ofBytes: locationExcludes.utf8) != nil {
            return "Location with \(locationExcludes)"
        }
        guard !locationParameters.isEmpty || codeParameter != nil else { return nil }
        guard let location else { return "no Location" }
        let parameters = URLParameters(of: location)
        for expected in locationParameters where parameters[expected.name] != expected.text.text(values) {
            return "wrong \(expected.name) in Location"
        }
        if let codeParameter {
            guard let code = parameters[codeParameter], !code.isEmpty else { return "no \(codeParameter) in Location" }
            values.code = code
        }
        return nil
    }

    /// Reads the payload without verifying the signature, since the token came from the target itself over its own
    /// connection.
    private func faultInIDToken(_ body: [UInt8], _ values: SignInValues) -> String? {
        guard let payload = UnverifiedIDTokenPayload(tokenResponse: body) else { return "no ID token" }
        for expected in claims where payload.text(expected.name) != expected.text.text(values) {
            return "wrong \(expected.name) in the ID token"
        }
        return nil
    }

    private static func values(
        _ members: [String: String]?, _ fixed: [String: String]
    ) throws(TargetFileError) -> [Value] {
        var values: [Value] = []
        for (name, text) in (members ?? [:]).sorted(by: { $0.key < $1.key }) {
            values.append(Value(name: name, text: try Template(text, fixed: fixed)))
        }
        return values
    }
}
