// SPDX-License-Identifier: Apache-2.0

/// Numbers that follow from a seed alone (splitmix64): a driver that failed once fails again.
///
/// Not for keys, nonces or anything else that must not be guessed.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// - Parameter seed: Where the sequence starts; equal seeds give equal sequences on every machine.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from zero up to `bound`, `bound` itself excluded; zero for a bound of zero or less.
    ///
    /// Slightly uneven, which does not matter here, and one step of the sequence whatever the bound.
    public mutating func below(_ bound: Int) -> Int {
        guard bound > 0 else { return 0 }
        return Int(next() % UInt64(bound))
    }
}
