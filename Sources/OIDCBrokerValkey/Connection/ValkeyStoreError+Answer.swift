// SPDX-License-Identifier: Apache-2.0

extension ValkeyStoreError {
    /// The error that a server answered. Only the first word of its text is kept: the rest may repeat a password, a key
    /// or a value.
    init(answer text: String) {
        let word = Self.firstWord(of: text)
        let error: ValkeyStoreError =
            switch word {
            case "OOM": .full
            case "READONLY", "NOREPLICAS", "MISCONF": .readOnly
            case "LOADING": .loading
            case "MASTERDOWN": .notPrimary
            case "CLUSTERDOWN": .unreachable
            case "WRONGPASS", "NOAUTH", "NOPERM": .wrongPassword
            case "BUSY": .busy
            default: .unexpectedAnswer
            }
        self = error.with("the server answered \(word.isEmpty ? "an error" : word)")
    }

    /// The error of a value that no command here is answered with.
    init(unexpected answer: RESPValue) {
        self =
            switch answer {
            case .error(let text): ValkeyStoreError(answer: text)
            case .simple: .unexpectedAnswer.with("a status")
            case .integer: .unexpectedAnswer.with("a number")
            case .bulk: .unexpectedAnswer.with("bytes")
            case .null: .unexpectedAnswer.with("nothing")
            case .array: .unexpectedAnswer.with("a list")
            }
    }

    /// Returns the error of an answer after which a connection is of no use; `nil` if it remains of use.
    static func ending(_ answer: RESPValue) -> ValkeyStoreError? {
        guard case .error(let text) = answer else { return nil }
        switch firstWord(of: text) {
        case "READONLY", "NOREPLICAS", "MISCONF", "LOADING", "MASTERDOWN", "CLUSTERDOWN":
            return ValkeyStoreError(answer: text)
        default: return nil
        }
    }

    /// Whether the server was reached and cannot be used as it is.
    package var isRefusal: Bool {
        switch self {
        case .wrongVersion, .isCluster, .notPrimary, .evicts, .wrongPassword, .loading, .unexpectedAnswer, .readOnly,
            .notEncrypted:
            true
        default: false
        }
    }

    /// The capital letters that a text begins with, at most 24.
    private static func firstWord(of text: String) -> String {
        String(decoding: Array(text.utf8.prefix(24).prefix { $0 >= 0x41 && $0 <= 0x5A }), as: UTF8.self)
    }
}
