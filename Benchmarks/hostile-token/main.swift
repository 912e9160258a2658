// SPDX-License-Identifier: Apache-2.0

import JOSE

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Parses one hostile token of a given length and shape, for counting instructions (valgrind 3.19 cannot read the
// debugging information of Swift 6.3, so it gets a stripped copy):
//
//     strip -s -o hostile-token .build/release/hostile-token
//     valgrind --tool=callgrind --callgrind-out-file=/dev/null ./hostile-token 65536 names
//     valgrind --tool=callgrind --callgrind-out-file=/dev/null ./hostile-token 65536 names make
//
// The last command only makes the token, so the difference is the cost of refusing it. From 16 to 32 and to 64 KB the
// difference must at most double. Prints the error with which the token was refused.

/// The content of a hostile header.
enum Shape: String, CaseIterable {
    /// Only dots.
    case dots
    /// Nested objects.
    case nesting
    /// A sequence of arrays, closed one by one.
    case arrays
    /// A single member name, repeated.
    case duplicates
    /// Names that differ in their last characters, with the first one repeated at the end.
    case names
    /// A single number.
    case number
    /// A sequence of short numbers.
    case numbers
    /// A string of escapes.
    case escapes
    /// A `kid` as long as the token.
    case kid
    /// Characters outside of base64url.
    case foreign

    /// Returns a header of about the given number of bytes; `nil` if the shape is not that of a header.
    func header(byteCount: Int) -> String? {
        func filled(_ prefix: String, _ unit: String, _ suffix: String) -> String {
            let room = max(byteCount - prefix.utf8.count - suffix.utf8.count, 0)
            return prefix + String(repeating: unit, count: room / unit.utf8.count) + suffix
        }
        switch self {
        case .dots, .foreign: return nil
        case .nesting: return filled("{\"alg\":\"ES256\",\"a\":", "{\"a\":", "")
        case .arrays: return filled("{\"alg\":\"ES256\",\"a\":[", "[],", "[]]x")
        case .duplicates: return filled("{\"alg\":\"ES256\",\"b\":\"\"", ",\"a\":1", "}")
        case .names:
            let names = (0..<max((byteCount - 40) / 13, 0)).map { ",\"n\(100_000 + $0)\":1" }.joined()
            return "{\"alg\":\"ES256\"" + names + ",\"n100000\":1}"
        case .number: return filled("{\"alg\":\"ES256\",\"a\":", "9", "}")
        case .numbers: return filled("{\"alg\":\"ES256\",\"a\":[", "1.5e3,", "0]x")
        case .escapes: return filled("{\"alg\":\"ES256\",\"kid\":\"", "\\u0041", "\"}")
        case .kid: return filled("{\"alg\":\"ES256\",\"kid\":\"", "k", "\"}")
        }
    }

    /// Returns a token of about the given number of bytes.
    func token(byteCount: Int) -> String {
        let rest = ".e30.AAAA"
        if let header = header(byteCount: (byteCount - rest.utf8.count) / 4 * 3) {
            return Base64URL.encode(header.utf8) + rest
        }
        let unit = self == .dots ? "." : "\u{7F}"
        return String(repeating: unit, count: max(byteCount - rest.utf8.count, 0)) + (self == .dots ? "" : rest)
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard (2...3).contains(arguments.count), let length = Int(arguments[0]), let shape = Shape(rawValue: arguments[1]),
    (0...1_000_000).contains(length), arguments.count == 2 || arguments[2] == "make"
else {
    print(
        "usage: hostile-token LENGTH SHAPE [make], where SHAPE is one of",
        Shape.allCases.map(\.rawValue).joined(separator: " "))
    exit(64)
}

let token = shape.token(byteCount: length)
if arguments.count == 3 {
    print(token.utf8.count, "bytes, not parsed")
} else {
    do {
        _ = try JSONWebSignature(compact: token)
        print(token.utf8.count, "bytes, accepted")
    } catch {
        print(token.utf8.count, "bytes,", error)
    }
}
