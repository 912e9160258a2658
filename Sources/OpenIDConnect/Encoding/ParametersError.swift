// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// Why a query or form could not be read. Never holds a value, only a parameter's name.
package struct ParametersError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case doubled
        case undecodable
        case tooMany
    }

    private let code: Code

    /// The parameter that is at fault, where one is; at most 64 bytes, printable ASCII.
    package let parameter: String?

    private init(_ code: Code, parameter: WireText? = nil) {
        self.code = code
        self.parameter = parameter.map(Self.printable)
    }

    /// A parameter stands there twice (RFC 6749 section 3.1 forbids it).
    package static func doubled(_ parameter: String) -> Self { .doubled(WireText(parameter)) }
    /// A parameter stands there twice, by its name as it was received.
    package static func doubled(_ parameter: WireText) -> Self { .init(.doubled, parameter: parameter) }
    /// A percent escape, a byte or the UTF-8 is not what the format allows.
    package static let undecodable = ParametersError(.undecodable)
    /// More parameters than the limit.
    package static let tooMany = ParametersError(.tooMany)

    /// Whether this is ``doubled(_:)``.
    package var isDoubled: Bool { code == .doubled }

    package var description: String {
        switch code {
        case .doubled: "the parameter '\(parameter ?? "")' stands there twice"
        case .undecodable: "the parameters can not be decoded"
        case .tooMany: "there are too many parameters"
        }
    }

    /// A name from the outside goes into answers and logs: short and printable.
    private static func printable(_ name: WireText) -> String {
        String(
            decoding: name.utf8.prefix(64).map { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C ? $0 : 0x3F },
            as: UTF8.self)
    }
}
