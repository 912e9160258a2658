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
        guard arguments.count == 2, let name = arguments.first, let chosen = MicroCase(rawValue: name),
            let count = arguments.last, let iterations = Int(count), iterations > 0
        else {
            let names = MicroCase.allCases.map(\.rawValue).joined(separator: ", ")
            print("usage: callback-micro <case> <iterations>; cases: \(names)")
            exit(2)
        }
        print(chosen.rawValue, iterations, try chosen.run(iterations))
    }
}
