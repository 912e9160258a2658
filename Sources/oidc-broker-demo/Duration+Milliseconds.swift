// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// The duration in milliseconds with one decimal, such as `12.3`.
    var milliseconds: String {
        let (seconds, attoseconds) = components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
