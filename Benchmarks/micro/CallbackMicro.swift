// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// `callback-micro <case> <iterations>`: does one thing so often, for `count-instructions` and for profilers.
///
/// A plain driver: nothing is timed here, and nothing besides the case itself is repeated.
@main
struct CallbackMicro {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "hostile" { return try hostile(Array(arguments.dropFirst())) }
        guard arguments.count == 2, let name = arguments.first, let chosen = MicroCase(rawValue: name),
            let count = arguments.last, let iterations = Int(count), iterations > 0
        else {
            let names = MicroCase.allCases.map(\.rawValue).joined(separator: ", ")
            print("usage: callback-micro <case> <iterations>; cases: \(names)")
            exit(2)
        }
        print(chosen.rawValue, iterations, try chosen.run(iterations))
    }

    /// `hostile <entry>…`, or `hostile all`: brings every kind of text to each entry, one after the other, and names each on
    /// a line; without arguments it names the entries.
    private static func hostile(_ arguments: [String]) throws {
        guard !arguments.isEmpty else {
            for entry in HostileEntry.allCases { print(entry.rawValue) }
            return
        }
        let entries = arguments == ["all"] ? HostileEntry.allCases : arguments.compactMap(HostileEntry.init(rawValue:))
        guard arguments == ["all"] || entries.count == arguments.count else {
            print("usage: callback-micro hostile all|<entry>…")
            exit(2)
        }
        // Making a text takes longer than reading it.
        var texts: [Int: [(HostileText, String)]] = [:]
        for entry in entries {
            let length = entry.byteCount
            let made = texts[length] ?? HostileText.allCases.map { ($0, $0.text(byteCount: length)) }
            texts[length] = made
            for (kind, text) in made { print(entry.rawValue, kind.rawValue, try entry.count(text)) }
        }
    }
}
