// SPDX-License-Identifier: Apache-2.0

/// Number formats of tables, independent of the locale.
package enum Figure {
    /// A number with a fixed number of decimals; `-` if it is not finite.
    package static func fixed(_ value: Double, _ digits: Int) -> String {
        let digits = min(max(digits, 0), 9)
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = (value.magnitude * scale).rounded()
        guard scaled.isFinite, scaled < 9e15 else { return "-" }
        let whole = Int64(scaled)
        let sign = value < 0 && whole > 0 ? "-" : ""
        guard digits > 0 else { return sign + String(whole) }
        let divisor = Int64(scale)
        let fraction = String(whole % divisor)
        return sign + "\(whole / divisor)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// A number with about three significant digits.
    package static func significant(_ value: Double) -> String {
        switch value.magnitude {
        case 100...: fixed(value, 0)
        case 10..<100: fixed(value, 1)
        case 1..<10: fixed(value, 2)
        default: fixed(value, 3)
        }
    }

    /// A count or a rate, without unnecessary decimals.
    package static func rounded(_ value: Double) -> String {
        value.rounded() == value ? fixed(value, 0) : fixed(value, 1)
    }

    /// A number with as few decimals as necessary, at most three.
    package static func shortest(_ value: Double) -> String {
        var text = fixed(value, 3)
        guard text.contains(".") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// A share of one in percent.
    package static func percent(_ share: Double) -> String {
        let percent = share * 100
        return (percent.magnitude >= 10 || percent.rounded() == percent ? fixed(percent, 0) : fixed(percent, 1)) + " %"
    }

    /// A count with thousands separators.
    package static func grouped(_ value: UInt64) -> String {
        var groups: [String] = []
        var rest = String(value)[...]
        while rest.count > 3 {
            groups.insert(String(rest.suffix(3)), at: 0)
            rest = rest.dropLast(3)
        }
        groups.insert(String(rest), at: 0)
        return groups.joined(separator: ",")
    }
}
