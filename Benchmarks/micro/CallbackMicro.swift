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

    /// `hostile <entry> <text> <iterations>`; without arguments it names the entries, one a line.
    private static func hostile(_ arguments: [String]) throws {
        guard !arguments.isEmpty else {
            for entry in HostileEntry.allCases { print(entry.rawValue) }
            return
        }
        guard arguments.count == 3, let entry = HostileEntry(rawValue: arguments[0]),
            let text = HostileText(rawValue: arguments[1]), let iterations = Int(arguments[2]), iterations >= 0
        else {
            let texts = HostileText.allCases.map(\.rawValue).joined(separator: ", ")
            print("usage: callback-micro hostile <entry> <text> <iterations>; texts: \(texts)")
            exit(2)
        }
        print(entry.rawValue, text.rawValue, try entry.run(text.text(byteCount: entry.byteCount), iterations))
    }
}
