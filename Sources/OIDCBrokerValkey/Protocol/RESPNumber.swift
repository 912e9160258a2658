// SPDX-License-Identifier: Apache-2.0

/// The numbers of RESP2.
enum RESPNumber {
    /// Reads a whole text as a decimal number; `nil` if it is none, has a plus sign, a leading zero or a space, or does
    /// not fit in 64 bits.
    static func integer(_ text: some Collection<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = text.dropFirst(isNegative ? 1 : 0)
        guard let first = digits.first else { return nil }
        if first == UInt8(ascii: "0") { return digits.count == 1 && !isNegative ? 0 : nil }
        var number: Int64 = 0
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (shifted, shiftOverflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflows) =
                isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
            guard !shiftOverflows, !sumOverflows else { return nil }
            number = sum
        }
        return number
    }
}
