// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The query of a start at the handler page, decoded. Only `sessionId` may have control characters and NUL: on Android
/// it is a hash that was read as text.
struct HandlerQuery: Sendable {
    /// The maximum length of the query, in bytes. All parameters at their limits, every byte escaped, are longer than
    /// that, which no SDK sends.
    static let maximumBytes = 16_384
    /// The maximum length of the ID of a provider, in bytes.
    static let longestProviderID = SignInWithIdpRequest.longestProviderID

    private var values: [HandlerParameter: WireText] = [:]

    /// Reads a query. Parameters that are not read are ignored, but none may be there twice.
    /// - Parameter query: The query without `?`, undecoded.
    init(_ query: Substring) throws(HandlerStartError) {
        guard query.utf8.count <= Self.maximumBytes else { throw HandlerStartError(.tooLong) }
        let parameters: Parameters
        do throws(ParametersError) {
            parameters = try FormURLEncoding.parse(query)
        } catch {
            throw HandlerStartError(.unreadable)
        }
        if let name = parameters.firstDuplicateName {
            throw HandlerStartError(.duplicate, HandlerParameter(wire: name))
        }
        for parameter in parameters.all {
            guard let name = HandlerParameter(wire: parameter.name) else { continue }
            guard name == .sessionID || !parameter.value.hasControlCharacters else {
                throw HandlerStartError(.invalid, name)
            }
            values[name] = parameter.value
        }
    }

    /// The value of a parameter; `nil` if it is absent or empty, as the SDK for iOS sends a missing value.
    subscript(parameter: HandlerParameter) -> WireText? {
        guard let value = values[parameter], !value.isEmpty else { return nil }
        return value
    }

    /// The API key, which names the app.
    func apiKey() throws(HandlerStartError) -> WireText { try required(.apiKey) }

    /// The ID of the provider, visible ASCII.
    func providerID() throws(HandlerStartError) -> String {
        guard let id = try required(.providerID).visibleASCII(atMost: Self.longestProviderID) else {
            throw HandlerStartError(.unknown, .providerID)
        }
        return id
    }

    /// The value of a parameter without which there is no start.
    func required(_ parameter: HandlerParameter) throws(HandlerStartError) -> WireText {
        guard let value = self[parameter] else { throw HandlerStartError(.missing, parameter) }
        return value
    }

    /// The value of a parameter within a length in bytes; `nil` if it is absent or empty.
    func value(_ parameter: HandlerParameter, atMost longest: Int) throws(HandlerStartError) -> WireText? {
        guard let value = self[parameter] else { return nil }
        guard value.utf8.count <= longest else { throw HandlerStartError(.tooLong, parameter) }
        return value
    }

    /// The query, encoded, with other `customParameters`. Parameters that are not read are not in it.
    func encoded(customParameters: [HandlerStart.CustomParameter]) -> String {
        var object = JSONObject()
        for parameter in customParameters { object[parameter.name] = .string(parameter.value) }
        var values = values
        values[.customParameters] = WireText(utf8: object.serialized()[...])
        return FormURLEncoding.encode(
            HandlerParameter.allCases.compactMap { name in
                values[name].map { value in (name.rawValue, value.makeString()) }
            })
    }

    /// Whether a parameter has exactly these bytes.
    func has(_ parameter: HandlerParameter, _ value: String) -> Bool {
        self[parameter]?.hasSameBytes(as: value) == true
    }
}
