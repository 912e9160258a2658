// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The command `callback-micro <case> <iterations>`, which repeats one operation for `count-instructions` and for
/// profilers.
///
/// It measures no time and repeats nothing except the operation itself, but for `store <rate> <seconds>`; see ``StoreAge``.
@main
struct CallbackMicro {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "hostile" { return try hostile(Array(arguments.dropFirst())) }
        if arguments.first == "store" { return store(arguments.dropFirst().compactMap { Int($0) }) }
        guard arguments.count == 2, let name = arguments.first, let chosen = MicroCase(rawValue: name),
            let count = arguments.last, let iterations = Int(count), iterations > 0
        else {
            let names = MicroCase.allCases.map(\.rawValue).joined(separator: ", ")
            print("usage: callback-micro <case> <iterations>; cases: \(names)")
            exit(2)
        }
        print(chosen.rawValue, iterations, try chosen.run(iterations))
    }

    /// Handles `store <rate> <seconds>`.
    private static func store(_ numbers: [Int]) {
        guard numbers.count == 2, let rate = numbers.first, let seconds = numbers.last, rate > 0, seconds > 0 else {
            print("usage: callback-micro store <sign-ins a second> <seconds>")
            exit(2)
        }
        var age = StoreAge()
        age.run(rate: rate, seconds: seconds)
    }

    /// Handles `hostile <entry>…` and `hostile all`: passes every kind of text to each entry and prints the name of
    /// each. Without arguments it prints the names of the entries.
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
        // The texts are kept, since creating one takes longer than reading it.
        var texts: [Int: [(HostileText, String)]] = [:]
        for entry in entries {
            let length = entry.byteCount
            let made = texts[length] ?? HostileText.allCases.map { ($0, $0.text(byteCount: length)) }
            texts[length] = made
            for (kind, text) in made { print(entry.rawValue, kind.rawValue, try entry.count(text)) }
        }
    }
}
