// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The reason why a query or form could not be read. It contains no values, at most the name of a parameter.
package struct ParametersError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case duplicate
        case undecodable
        case tooMany
    }

    private let code: Code

    /// The name of the invalid parameter, at most 64 bytes of printable ASCII; `nil` if no single one is at fault.
    package let parameter: String?

    private init(_ code: Code, parameter: WireText? = nil) {
        self.code = code
        self.parameter = parameter.map(Self.printable)
    }

    /// A parameter occurs more than once, which RFC 6749 section 3.1 forbids.
    package static func duplicate(_ parameter: String) -> Self { .duplicate(WireText(parameter)) }
    /// A parameter with a received name occurs more than once.
    package static func duplicate(_ parameter: WireText) -> Self { .init(.duplicate, parameter: parameter) }
    /// A percent escape, a byte or the UTF-8 is invalid.
    package static let undecodable = ParametersError(.undecodable)
    /// There are more parameters than the limit.
    package static let tooMany = ParametersError(.tooMany)

    /// Whether this is ``duplicate(_:)``.
    package var isDuplicate: Bool { code == .duplicate }

    package var description: String {
        switch code {
        case .duplicate: "the parameter '\(parameter ?? "")' was sent twice"
        case .undecodable: "the parameters cannot be decoded"
        case .tooMany: "there are too many parameters"
        }
    }

    /// The name in a form that is safe for responses and logs: short and printable.
    private static func printable(_ name: WireText) -> String {
        String(
            decoding: name.utf8.prefix(64).map { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C ? $0 : 0x3F },
            as: UTF8.self)
    }
}
