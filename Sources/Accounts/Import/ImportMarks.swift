// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What the attributes of an account were when it was imported, so that a later import knows what was changed here.
struct ImportMarks: Sendable, Hashable {
    /// An attribute.
    enum Attribute: Int, Sendable, CaseIterable {
        case displayName, photoURL, isDisabled, customClaims
    }

    private static let length = 8
    private var texts: [String]

    /// The marks of an account as it is.
    init(_ account: Account) {
        texts = Attribute.allCases.map { Self.text(of: $0, in: account) }
    }

    /// The marks that were kept; `nil` if there are none.
    init?(_ record: ImportedRecord?) {
        let count = Attribute.allCases.count
        guard let text = record?[.marks]?.text?.visibleASCII(atMost: Self.length * count),
            text.utf8.count == Self.length * count
        else { return nil }
        let bytes = Array(text.utf8)
        texts = (0..<count).map { String(decoding: bytes[$0 * Self.length..<($0 + 1) * Self.length], as: UTF8.self) }
    }

    /// The text that is kept.
    var text: String { texts.joined() }

    /// Whether an attribute is what it was.
    func hold(_ attribute: Attribute, of account: Account) -> Bool {
        texts[attribute.rawValue].hasSameBytes(as: Self.text(of: attribute, in: account))
    }

    /// Notes what an attribute is now.
    mutating func note(_ attribute: Attribute, of account: Account) {
        texts[attribute.rawValue] = Self.text(of: attribute, in: account)
    }

    private static func text(of attribute: Attribute, in account: Account) -> String {
        let value: String? =
            switch attribute {
            case .displayName: account.displayName
            case .photoURL: account.photoURL
            case .isDisabled: account.isDisabled ? "1" : "0"
            case .customClaims: account.customClaims?.json
            }
        // 48 bits tell a change from none.
        return value.map { Base64URL.encode(Array(Hash.sha256($0.utf8).prefix(6))) } ?? "--------"
    }
}
