// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// Why a query or form could not be read. Never holds a value, only a parameter's name.
package struct ParametersError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case duplicate
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
    package static func duplicate(_ parameter: String) -> Self { .duplicate(WireText(parameter)) }
    /// A parameter stands there twice, by its name as it was received.
    package static func duplicate(_ parameter: WireText) -> Self { .init(.duplicate, parameter: parameter) }
    /// A percent escape, a byte or the UTF-8 is not what the format allows.
    package static let undecodable = ParametersError(.undecodable)
    /// More parameters than the limit.
    package static let tooMany = ParametersError(.tooMany)

    /// Whether this is ``doubled(_:)``.
    package var isDuplicate: Bool { code == .duplicate }

    package var description: String {
        switch code {
        case .duplicate: "the parameter '\(parameter ?? "")' stands there twice"
        case .undecodable: "the parameters cannot be decoded"
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
