// SPDX-License-Identifier: Apache-2.0

import Admission

extension MemoryBudget {
    /// A budget with so many bytes for bodies.
    convenience init(beginnings: Int = 1 << 20, remainders: Int = 1 << 20, bytesOfAddress: Int = 1 << 20) {
        self.init(bytes: 1 << 30) { row, budget in
            switch row {
            case .bodies: Bounds(maximum: beginnings, share: bytesOfAddress)
            case .longBodies: Bounds(maximum: remainders, share: bytesOfAddress)
            default: Bounds(maximum: budget, share: budget)
            }
        }
    }

    /// The number of networks that have something of the beginnings of bodies, and of the rest of them: one for an IPv4
    /// address, three for an IPv6 one.
    var networkCounts: [Int] { [networkCount(.bodies), networkCount(.longBodies)] }
}
