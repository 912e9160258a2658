// SPDX-License-Identifier: Apache-2.0

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
            throw MicroFailure("usage: callback-micro <case> <iterations>; cases: \(names)")
        }
        print(chosen.rawValue, iterations, try chosen.run(iterations))
    }
}
