// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The number of words that were drawn.
private let drawn = Atomic<UInt64>(0)

/// Takes the place of the C library's function in this executable, so that `SecureRandom` draws the same bytes in every
/// run: how often the keys of a hash table collide depends on them. They are those of SplitMix64.
@_cdecl("getentropy")
func fixedEntropy(_ buffer: UnsafeMutableRawPointer?, _ count: Int) -> CInt {
    guard let bytes = buffer?.assumingMemoryBound(to: UInt8.self) else { return 0 }
    var state = drawn.wrappingAdd(UInt64(count / 8 + 1), ordering: .relaxed).oldValue &* 0x9E37_79B9_7F4A_7C15
    var word: UInt64 = 0
    for index in 0..<count {
        if index & 7 == 0 {
            state &+= 0x9E37_79B9_7F4A_7C15
            word = (state ^ (state &>> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word &>> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word &>> 31
        }
        bytes[index] = UInt8(truncatingIfNeeded: word)
        word &>>= 8
    }
    return 0
}
