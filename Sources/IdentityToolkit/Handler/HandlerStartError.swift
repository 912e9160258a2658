// SPDX-License-Identifier: Apache-2.0

/// Why a start at the handler page is refused. It names the parameter, and holds no received value but the name of a
/// custom parameter or of a scope.
struct HandlerStartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code of an error.
    enum Code: String, Sendable, Hashable, CaseIterable {
        /// It cannot be decoded, or there are too many parameters.
        case unreadable
        /// It is there twice.
        case duplicate
        /// It is not there, or empty.
        case missing
        /// It is longer than it may be.
        case tooLong
        /// It does not have the form that it must have.
        case invalid
        /// Nothing of that name is configured.
        case unknown
        /// It is not what the configuration of the app or of the provider allows.
        case notAllowed
        /// It exists, and not here.
        case unsupported
        /// It is of an SDK older than ``SDKVersion/oldest``.
        case tooOld

        /// The end of a sentence about the parameter.
        fileprivate var ending: String {
            switch self {
            case .unreadable: "cannot be read"
            case .duplicate: "was sent twice"
            case .missing: "is missing"
            case .tooLong: "is too long"
            case .invalid: "is invalid"
            case .unknown: "is not known"
            case .notAllowed: "is not allowed by the configuration"
            case .unsupported: "is not supported here"
            case .tooOld:
                "is of a Firebase SDK that is too old; the oldest supported version is \(SDKVersion.oldest.text)"
            }
        }
    }

    /// The maximum length of ``member``, in bytes.
    static let longestMember = 64

    /// The code.
    let code: Code
    /// The parameter; `nil` if it is the query as a whole, or a parameter that is not read.
    let parameter: HandlerParameter?
    /// The custom parameter or the scope at fault, visible ASCII; `nil` if it is none or cannot be shown.
    let member: String?

    init(_ code: Code, _ parameter: HandlerParameter? = nil, member: String? = nil) {
        self.code = code
        self.parameter = parameter
        self.member = member
    }

    var description: String {
        let name = parameter?.rawValue ?? "the query"
        return (member.map { "\($0) in \(name) " } ?? "\(name) ") + code.ending
    }
}
