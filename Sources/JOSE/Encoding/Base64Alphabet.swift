// SPDX-License-Identifier: Apache-2.0

/// One of the two 64-character alphabets of RFC 4648, with its encoder and decoder.
///
/// Both directions make a single pass over contiguous bytes with one allocation, because decoding is on the hot path of
/// every token.
struct Base64Alphabet: Sendable {
    /// The "URL and filename safe" alphabet (RFC 4648 section 5).
    static let urlSafe = Base64Alphabet(lastTwo: [UInt8(ascii: "-"), UInt8(ascii: "_")])

    /// The standard alphabet (RFC 4648 section 4).
    static let standard = Base64Alphabet(lastTwo: [UInt8(ascii: "+"), UInt8(ascii: "/")])

    /// The marker of a byte outside the alphabet. Sextets are below 64, so any higher bit distinguishes it.
    private static let invalid: UInt8 = 0xFF

    private let characters: [UInt8]
    private let sextets: [UInt8]

    private init(lastTwo: [UInt8]) {
        var characters = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
        characters += UInt8(ascii: "a")...UInt8(ascii: "z")
        characters += UInt8(ascii: "0")...UInt8(ascii: "9")
        characters += lastTwo
        var sextets = [UInt8](repeating: Self.invalid, count: 256)
        for (value, character) in characters.enumerated() {
            sextets[Int(character)] = UInt8(value)
        }
        self.characters = characters
        self.sextets = sextets
    }

    /// Decodes text without padding.
    ///
    /// - Returns: `nil` if the text contains a character outside the alphabet (padding and whitespace are), has an
    ///   impossible length, or ends in a character whose unused bits are not zero (RFC 4648 section 3.5). Each byte
    ///   sequence therefore has exactly one accepted text.
    func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let tail = text.count & 3
        guard tail != 1 else { return nil }
        let whole = text.count &- tail
        let capacity = whole / 4 * 3 + (tail == 0 ? 0 : tail - 1)
        var isValid = true
        let decoded = sextets.withUnsafeBufferPointer { sextets in
            [UInt8](unsafeUninitializedCapacity: capacity) { output, initializedCount in
                var seen: UInt8 = 0
                var position = 0
                var written = 0
                while position < whole {
                    let first = sextets[Int(text[position])]
                    let second = sextets[Int(text[position &+ 1])]
                    let third = sextets[Int(text[position &+ 2])]
                    let fourth = sextets[Int(text[position &+ 3])]
                    seen |= first | second | third | fourth
                    output[written] = first &<< 2 | second &>> 4
                    output[written &+ 1] = second &<< 4 | third &>> 2
                    output[written &+ 2] = third &<< 6 | fourth
                    position &+= 4
                    written &+= 3
                }
                if tail != 0 {
                    let first = sextets[Int(text[position])]
                    let second = sextets[Int(text[position &+ 1])]
                    seen |= first | second
                    output[written] = first &<< 2 | second &>> 4
                    written &+= 1
                    var unused = second & 0x0F
                    if tail == 3 {
                        let third = sextets[Int(text[position &+ 2])]
                        seen |= third
                        output[written] = second &<< 4 | third &>> 2
                        written &+= 1
                        unused = third & 0x03
                    }
                    isValid = unused == 0
                }
                isValid = isValid && seen < 64
                initializedCount = written
            }
        }
        return isValid ? decoded : nil
    }

    /// Encodes bytes.
    ///
    /// - Parameter padded: Whether the last group of four is filled with `=`.
    func encode(_ bytes: UnsafeBufferPointer<UInt8>, padded: Bool) -> String {
        let tail = bytes.count % 3
        let whole = bytes.count - tail
        var length = whole / 3 * 4
        if tail != 0 {
            length += padded ? 4 : tail + 1
        }
        return characters.withUnsafeBufferPointer { characters in
            String(unsafeUninitializedCapacity: length) { output in
                var position = 0
                var written = 0
                while position < whole {
                    let first = bytes[position]
                    let second = bytes[position &+ 1]
                    let third = bytes[position &+ 2]
                    output[written] = characters[Int(first &>> 2)]
                    output[written &+ 1] = characters[Int((first &<< 4 | second &>> 4) & 0x3F)]
                    output[written &+ 2] = characters[Int((second &<< 2 | third &>> 6) & 0x3F)]
                    output[written &+ 3] = characters[Int(third & 0x3F)]
                    position &+= 3
                    written &+= 4
                }
                if tail != 0 {
                    let first = bytes[position]
                    let second = tail == 2 ? bytes[position &+ 1] : 0
                    output[written] = characters[Int(first &>> 2)]
                    output[written &+ 1] = characters[Int((first &<< 4 | second &>> 4) & 0x3F)]
                    written &+= 2
                    if tail == 2 {
                        output[written] = characters[Int((second &<< 2) & 0x3F)]
                        written &+= 1
                    }
                    while padded && written < length {
                        output[written] = UInt8(ascii: "=")
                        written &+= 1
                    }
                }
                return written
            }
        }
    }
}
