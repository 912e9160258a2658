// SPDX-License-Identifier: Apache-2.0

/// A text format of metrics.
public enum ExpositionFormat: Sendable, Hashable, CaseIterable {
    /// The text format of Prometheus, version 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics

    /// The value of `Content-Type`.
    public var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The maximum number of media ranges that are read.
    private static let mostRanges = 32

    /// Selects the format for an `Accept` field (RFC 9110 section 12.5.1).
    ///
    /// OpenMetrics is for clients that name it, in a version that is written here or in none. Every other client gets
    /// the older format, also one that accepts neither: a refusal would not help.
    init(accept: some Sequence<UInt8>) {
        var plain = (precision: -1, weight: 0)
        var open = 0
        for range in AcceptRange.ranges(of: Array(accept), atMost: Self.mostRanges) {
            switch range.type {
            case "application/openmetrics-text":
                if range.version.isEmpty || range.version == "1.0.0" { open = max(open, range.weight) }
            case "text/plain" where range.version.isEmpty || range.version == "0.0.4":
                plain = Self.more(plain, (2, range.weight))
            case "text/*": plain = Self.more(plain, (1, range.weight))
            case "*/*": plain = Self.more(plain, (0, range.weight))
            default: break
            }
        }
        self = open > 0 && open >= plain.weight ? .openMetrics : .prometheus
    }

    /// A range that is more precise counts in the place of others.
    private static func more(
        _ first: (precision: Int, weight: Int), _ second: (precision: Int, weight: Int)
    ) -> (precision: Int, weight: Int) {
        first.precision == second.precision
            ? (first.precision, max(first.weight, second.weight)) : first.precision > second.precision ? first : second
    }
}

/// A media range of an `Accept` field.
struct AcceptRange: Equatable {
    /// The type in lower case; empty if it is too long to be one of interest, or not ASCII.
    var type = ""
    /// The parameter `version`.
    var version = ""
    /// The parameter `q`, in thousandths. One that cannot be read is 0.
    var weight = 1000

    /// Reads the ranges of a field, in linear time.
    static func ranges(of field: [UInt8], atMost limit: Int) -> [AcceptRange] {
        split(field[...], at: UInt8(ascii: ",")).prefix(limit).map { range in
            var result = AcceptRange()
            for (position, part) in split(range, at: UInt8(ascii: ";")).enumerated() {
                guard position > 0 else {
                    result.type = text(part)
                    continue
                }
                guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let value = part[part.index(after: equals)...]
                switch text(part[..<equals]) {
                case "q": result.weight = weight(trimmed(value))
                case "version": result.version = text(trimmed(value).filter { $0 != UInt8(ascii: "\"") }[...])
                default: break
                }
            }
            return result
        }
    }

    /// Splits at a byte that is not within quotes.
    private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in bytes.indices {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(bytes[start..<index])
                start = bytes.index(after: index)
            }
        }
        parts.append(bytes[start...])
        return parts
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }

    /// A short text of visible ASCII, in lower case; empty for any other.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let bytes = trimmed(bytes)
        guard bytes.count <= 64, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return "" }
        return String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// `0`, `1`, or either with up to three digits behind a point, at most 1 (RFC 9110 section 12.4.2).
    private static func weight(_ bytes: ArraySlice<UInt8>) -> Int {
        let digits = bytes.filter { $0 != UInt8(ascii: ".") }
        guard let first = bytes.first, bytes.count <= 5, !digits.isEmpty, bytes.count - digits.count <= 1,
            bytes.count < 2 || bytes[bytes.index(after: bytes.startIndex)] == UInt8(ascii: "."),
            first == UInt8(ascii: "0") || first == UInt8(ascii: "1"),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return 0 }
        let padded = digits + [UInt8](repeating: UInt8(ascii: "0"), count: 4 - digits.count)
        return min(1000, padded.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }
}
