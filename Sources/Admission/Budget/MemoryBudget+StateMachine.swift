// SPDX-License-Identifier: Apache-2.0

extension MemoryBudget {
    /// What is held. It has no lock.
    struct StateMachine: Sendable {
        /// A connection that can be cut.
        private struct Connection: Sendable {
            let client: IPAddress?
            let cut: @Sendable (Cut) -> Void
            var bytes: Int
            var isCut = false
            /// Whether its client asks too often, and has to wait.
            var isPaused = false
        }

        /// The result of taking memory.
        struct Taken: Sendable {
            /// The bound that prevents it; `nil` if it was taken.
            var excess: NetworkShares.Excess?
            /// The connections to cut now.
            var cuts: [@Sendable (Cut) -> Void] = []
        }

        /// The size of the budget, in bytes.
        var size: Int
        private let bounds: @Sendable (HeldMemory, _ budget: Int) -> Bounds
        private var rows = HeldMemory.allCases.map { _ in NetworkShares() }
        /// What each known client holds of all rows, by its largest network: an IPv4 address, or an IPv6 /48.
        private var clients: [IPNetwork: Int] = [:]
        private var connections: [UInt64: Connection] = [:]
        private var nextConnection: UInt64 = 0
        /// What the connections hold that are being cut.
        private var leaving = 0
        /// Whether all were cut that can be, since when nothing was given back.
        private var isNothingLeftToCut = false

        init(size: Int, bounds: @escaping @Sendable (HeldMemory, _ budget: Int) -> Bounds) {
            self.size = size
            self.bounds = bounds
        }

        /// What the connections hold that are being cut, in bytes.
        var leavingBytes: Int { leaving }

        /// What all clients hold, in bytes.
        private(set) var total = 0

        /// What all clients hold of one row, in bytes.
        func total(of row: HeldMemory) -> Int { rows[row.rawValue].total }

        /// The number of networks that hold something of one row.
        func networkCount(of row: HeldMemory) -> Int { rows[row.rawValue].networkCount }

        /// Begins to count a connection.
        /// - Returns: Its number; `nil` if there is no room for it.
        mutating func open(
            from client: IPAddress?, _ cut: @escaping @Sendable (Cut) -> Void
        ) -> (number: UInt64?, taken: Taken) {
            let taken = take(HeldMemory.connectionBytes, of: .connections, for: client)
            guard taken.excess == nil else { return (nil, taken) }
            nextConnection &+= 1
            isNothingLeftToCut = false
            connections[nextConnection] = Connection(client: client, cut: cut, bytes: HeldMemory.connectionBytes)
            return (nextConnection, taken)
        }

        /// Counts what a connection holds more.
        mutating func grow(_ number: UInt64, by bytes: Int) -> Taken {
            guard let connection = connections[number] else { return Taken(excess: .total) }
            let taken = take(bytes, of: .responses, for: connection.client)
            guard taken.excess == nil else { return taken }
            connections[number]?.bytes += bytes
            // It may be one of those that were cut for it just now.
            if connections[number]?.isCut == true { leaving += bytes }
            return taken
        }

        /// Counts what a connection holds less.
        mutating func shrink(_ number: UInt64, by bytes: Int) {
            guard let connection = connections[number] else { return }
            giveBack(bytes, of: .responses, for: connection.client)
            isNothingLeftToCut = false
            connections[number]?.bytes -= bytes
            if connection.isCut { leaving -= bytes }
        }

        /// Notes whether the client of a connection has to wait.
        mutating func pause(_ number: UInt64, _ isPaused: Bool) { connections[number]?.isPaused = isPaused }

        /// Ends the counting of a connection.
        mutating func close(_ number: UInt64) {
            guard let connection = connections.removeValue(forKey: number) else { return }
            isNothingLeftToCut = false
            if connection.isCut { leaving -= connection.bytes }
            giveBack(HeldMemory.connectionBytes, of: .connections, for: connection.client)
            let rest = connection.bytes - HeldMemory.connectionBytes
            if rest > 0 { giveBack(rest, of: .responses, for: connection.client) }
        }

        /// Takes memory of a row, all of it or nothing.
        mutating func take(_ bytes: Int, of row: HeldMemory, for client: IPAddress?) -> Taken {
            let free = size - total
            let bounds = bounds(row, size)
            let maximum = min(bounds.maximum, rows[row.rawValue].total + max(0, free))
            let isAboveAverage = isAboveAverage(client, with: bytes)
            let excess =
                isAboveAverage
                ? .network
                : rows[row.rawValue].take(
                    bytes, for: client, of: maximum, share: bounds.share, isScaled: bounds.isScaled)
            if excess == nil {
                total += bytes
                if let network = client?.largestNetwork { clients[network, default: 0] += bytes }
            }
            // What is taken while the largest holders are leaving comes from the last eighth.
            let isNearlyUsed =
                total - leaving + (isAboveAverage ? bytes : 0) > size / 8 * 7 || excess == .total && bytes > free
            return Taken(excess: excess, cuts: isNearlyUsed ? cutLargest(downTo: size / 4 * 3) : [])
        }

        /// Gives memory of a row back.
        mutating func giveBack(_ bytes: Int, of row: HeldMemory, for client: IPAddress?) {
            rows[row.rawValue].giveBack(bytes, for: client)
            total = max(0, total - bytes)
            guard let network = client?.largestNetwork, let held = clients[network] else { return }
            clients[network] = held > bytes ? held - bytes : nil
        }

        /// Whether a client may not have bytes of the last eighth, since it would hold more than others do on average. Those
        /// who hold the most would have that, too, before they are gone.
        private func isAboveAverage(_ client: IPAddress?, with bytes: Int) -> Bool {
            guard total + bytes > size / 8 * 7, let network = client?.largestNetwork else { return false }
            return (clients[network] ?? 0) + bytes > max(small, total / max(1, clients.count))
        }

        /// Returns the connections of the networks that hold the most, to be closed if they are idle: of each those
        /// first whose client has to wait. Who has one alone keeps it.
        /// - Parameter count: Their number at most.
        func largestHolders(atMost count: Int) -> [@Sendable (Cut) -> Void] {
            var holders = holders(pausedFirst: true)
            var found: [@Sendable (Cut) -> Void] = []
            while found.count < count, let heaviest = Self.heaviest(of: holders, besides: 1, by: \.bytes) {
                // Idle ones hold the least, and the oldest of them have been so for longest.
                let number = holders[heaviest].numbers.removeFirst()
                guard let connection = connections[number] else { continue }
                holders[heaviest].bytes -= connection.bytes
                found.append(connection.cut)
            }
            return found
        }

        /// Cuts the largest connections, each of the network that holds the most at that moment, until no more than a number
        /// of bytes remains.
        private mutating func cutLargest(downTo bytes: Int) -> [@Sendable (Cut) -> Void] {
            guard !isNothingLeftToCut, total - leaving > bytes else { return [] }
            var holders = holders(pausedFirst: false)
            var cuts: [@Sendable (Cut) -> Void] = []
            while total - leaving > bytes, let heaviest = Self.heaviest(of: holders, by: weight(of:)),
                let number = holders[heaviest].numbers.popLast(), let connection = connections[number]
            {
                holders[heaviest].bytes -= connection.bytes
                connections[number]?.isCut = true
                leaving += connection.bytes
                cuts.append(connection.cut)
            }
            isNothingLeftToCut = total - leaving > bytes
            return cuts
        }

        /// The connections of one network that are not being cut, the smallest first, and of those the oldest.
        private struct Holder {
            var bytes = 0
            var numbers: [UInt64] = []
        }

        /// The clients that are known, by the largest network of each.
        /// - Parameter pausedFirst: Whether connections whose clients have to wait come before all others.
        private func holders(pausedFirst: Bool) -> [Holder] {
            var networks: [IPNetwork: Holder] = [:]
            for (number, connection) in connections where !connection.isCut {
                guard let network = connection.client?.largestNetwork else { continue }
                networks[network, default: Holder()].bytes += connection.bytes
                networks[network, default: Holder()].numbers.append(number)
            }
            return networks.values.map { holder in
                var holder = holder
                holder.numbers.sort { order(of: $0, pausedFirst) < order(of: $1, pausedFirst) }
                return holder
            }
        }

        private func order(of number: UInt64, _ pausedFirst: Bool) -> (Int, Int, UInt64) {
            guard let connection = connections[number] else { return (0, 0, number) }
            return (pausedFirst && connection.isPaused ? 0 : 1, connection.bytes, number)
        }

        /// What one browser holds, in bytes. Those who hold less are not told apart by how much it is: otherwise many
        /// networks with an idle connection each would have everybody cut who signs in.
        private var small: Int { min(256 << 10, size / 64) }

        /// How much somebody is in the way of others. Of those who hold little, those come first who hold idle
        /// connections alone.
        private func weight(of holder: Holder) -> Int {
            guard holder.bytes <= small else { return holder.bytes }
            return holder.bytes == holder.numbers.count * HeldMemory.connectionBytes ? 1 : 0
        }

        /// The index of the one with the most weight; `nil` if nobody has more connections than a number.
        private static func heaviest(
            of holders: [Holder], besides count: Int = 0, by weight: (Holder) -> Int
        ) -> Int? {
            holders.indices.filter { holders[$0].numbers.count > count }.max {
                weight(holders[$0]) < weight(holders[$1])
            }
        }
    }
}
