// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// An OAuth error a provider sent (RFC 6749 sections 4.1.2.1 and 5.2), made safe to log and to show: printable ASCII
/// only, the code at most 64 characters, the description at most 512.
public struct ProviderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// `error`, for example `access_denied`.
    public let code: String
    /// `error_description`, where there was one.
    public let errorDescription: String?

    package init(code: WireText, description: WireText?) {
        self.code = Self.printable(code, 64)
        self.errorDescription = description.map { Self.printable($0, 512) }
    }

    /// The error in an endpoint's JSON answer (RFC 6749 section 5.2); nil where `error` is not a text.
    package init?(answer: JSONObject) {
        guard let code = answer["error"]?.text, !code.isEmpty else { return nil }
        self.init(code: code, description: answer["error_description"]?.text)
    }

    public var description: String { code }

    private static func printable(_ text: WireText, _ limit: Int) -> String {
        String(decoding: text.utf8.lazy.filter { (0x20...0x7E).contains($0) }.prefix(limit), as: UTF8.self)
    }
}
