// SPDX-License-Identifier: Apache-2.0

extension MemoryBudget {
    /// The memory that is held, without a lock.
    struct StateMachine: Sendable {
        /// A connection that can be cut.
        private struct Connection: Sendable {
            let client: IPAddress?
            let cut: @Sendable (Cut) -> Void
            var bytes: Int
            var isCut = false
            /// The bytes of its client's bodies that count as freed with it.
            var leavingBodies = 0
            /// Whether its client asked too often and has to wait.
            var isPaused = false
        }

        /// The result of taking memory.
        struct Taken: Sendable {
            /// The bound that prevented it; `nil` if the memory was taken.
            var excess: NetworkShares.Excess?
            /// The connections to cut now.
            var cuts: [@Sendable (Cut) -> Void] = []
        }

        /// The size of the budget, in bytes.
        var size: Int
        private let bounds: @Sendable (HeldMemory, _ budget: Int) -> Bounds
        private var rows = HeldMemory.allCases.map { _ in NetworkShares() }
        private var refused = HeldMemory.allCases.map { _ in 0 }
        /// What each known client holds of all rows, by its largest network: an IPv4 address, or an IPv6 /48.
        private var clients: [IPNetwork: Int] = [:]
        private var connections: [UInt64: Connection] = [:]
        private var nextConnection: UInt64 = 0
        /// The number of bytes that connections hold which are being cut, with the bodies that they receive.
        private var leaving = 0
        /// Whether every connection that can be cut has been, and nothing was given back since.
        private var isNothingLeftToCut = false

        init(size: Int, bounds: @escaping @Sendable (HeldMemory, _ budget: Int) -> Bounds) {
            self.size = size
            self.bounds = bounds
        }

        /// The number of bytes that leave with the connections that are being cut.
        var leavingBytes: Int { leaving }

        /// What all clients hold, in bytes.
        private(set) var total = 0

        /// What all clients hold of one row, in bytes.
        func total(of row: HeldMemory) -> Int { rows[row.rawValue].total }

        /// The bounds of one row.
        func limits(of row: HeldMemory) -> Bounds { bounds(row, size) }

        /// The number of times that memory of one row was refused.
        func refusals(of row: HeldMemory) -> Int { refused[row.rawValue] }

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

        /// Adds to what a connection holds.
        mutating func grow(_ number: UInt64, by bytes: Int) -> Taken {
            guard let connection = connections[number] else { return Taken(excess: .total) }
            let taken = take(bytes, of: .responses, for: connection.client)
            guard taken.excess == nil else { return taken }
            connections[number]?.bytes += bytes
            // Taking the memory may just have cut this connection too.
            if connections[number]?.isCut == true { leaving += bytes }
            return taken
        }

        /// Subtracts from what a connection holds.
        mutating func shrink(_ number: UInt64, by bytes: Int) {
            guard let connection = connections[number] else { return }
            giveBack(bytes, of: .responses, for: connection.client)
            isNothingLeftToCut = false
            connections[number]?.bytes -= bytes
            if connection.isCut { leaving -= bytes }
        }

        /// Notes whether the client of a connection has to wait.
        mutating func pause(_ number: UInt64, _ isPaused: Bool) { connections[number]?.isPaused = isPaused }

        /// Stops counting a connection.
        mutating func close(_ number: UInt64) {
            guard let connection = connections.removeValue(forKey: number) else { return }
            isNothingLeftToCut = false
            if connection.isCut { leaving -= connection.bytes + connection.leavingBodies }
            giveBack(HeldMemory.connectionBytes, of: .connections, for: connection.client)
            let rest = connection.bytes - HeldMemory.connectionBytes
            if rest > 0 { giveBack(rest, of: .responses, for: connection.client) }
        }

        /// Takes memory of a row, all of it or nothing.
        /// - Parameter givesWay: Whether the last quarter of the row is left to others.
        mutating func take(_ bytes: Int, of row: HeldMemory, for client: IPAddress?, givesWay: Bool = false) -> Taken {
            let free = size - total
            let bounds = bounds(row, size)
            let ofRow = givesWay ? bounds.maximum / 4 * 3 : bounds.maximum
            let maximum = bounds.isReserved ? ofRow : min(ofRow, rows[row.rawValue].total + max(0, free))
            let isAboveAverage = isAboveAverage(client, with: bytes)
            let excess =
                isAboveAverage
                ? .network
                : rows[row.rawValue].take(
                    bytes, for: client, of: maximum, share: bounds.share, isScaled: bounds.isScaled)
            if excess != nil {
                refused[row.rawValue] &+= 1
            } else {
                total += bytes
                if let network = client?.largestNetwork { clients[network, default: 0] += bytes }
            }
            // While connections are being cut, more is taken from the last eighth.
            let isNearlyUsed =
                total - leaving + (isAboveAverage ? bytes : 0) > size / 8 * 7 || excess == .total && bytes > free
            return Taken(excess: excess, cuts: isNearlyUsed ? cutLargest(downTo: size / 4 * 3) : [])
        }

        /// Gives back memory of a row.
        mutating func giveBack(_ bytes: Int, of row: HeldMemory, for client: IPAddress?) {
            rows[row.rawValue].giveBack(bytes, for: client)
            total = max(0, total - bytes)
            guard let network = client?.largestNetwork, let held = clients[network] else { return }
            clients[network] = held > bytes ? held - bytes : nil
        }

        /// Whether a client may take nothing from the last eighth because it would hold more than the average.
        /// Otherwise the largest holders would take that eighth too before their connections are closed.
        private func isAboveAverage(_ client: IPAddress?, with bytes: Int) -> Bool {
            guard total + bytes > size / 8 * 7, let network = client?.largestNetwork else { return false }
            return (clients[network] ?? 0) + bytes > max(small, total / max(1, clients.count))
        }

        /// Returns connections of the networks that hold the most, to be closed if they are idle. In each network,
        /// those whose client has to wait come first. A network with one connection keeps it.
        /// - Parameter count: The maximum number of connections.
        func largestHolders(atMost count: Int) -> [@Sendable (Cut) -> Void] {
            var holders = holders(pausedFirst: true)
            var found: [@Sendable (Cut) -> Void] = []
            while found.count < count, let heaviest = Self.heaviest(of: holders, besides: 1, by: \.bytes) {
                // Idle connections hold the least. The oldest have probably been idle the longest.
                let number = holders[heaviest].numbers.removeFirst()
                guard let connection = connections[number] else { continue }
                holders[heaviest].bytes -= connection.bytes
                found.append(connection.cut)
            }
            return found
        }

        /// Cuts connections until at most a number of bytes remains: each time the largest connection of the network
        /// that holds the most at that moment. The bodies of its clients leave with its connections, and count as if each
        /// received as much of them.
        private mutating func cutLargest(downTo bytes: Int) -> [@Sendable (Cut) -> Void] {
            guard !isNothingLeftToCut, total - leaving > bytes else { return [] }
            var holders = holders(pausedFirst: false)
            var cuts: [@Sendable (Cut) -> Void] = []
            while total - leaving > bytes, let heaviest = Self.heaviest(of: holders, by: weight(of:)) {
                let bodies = max(0, holders[heaviest].bodies) / holders[heaviest].numbers.count
                guard let number = holders[heaviest].numbers.popLast(), let connection = connections[number] else {
                    break
                }
                holders[heaviest].bytes -= connection.bytes + bodies
                holders[heaviest].bodies -= bodies
                connections[number]?.isCut = true
                connections[number]?.leavingBodies = bodies
                leaving += connection.bytes + bodies
                cuts.append(connection.cut)
            }
            isNothingLeftToCut = total - leaving > bytes
            return cuts
        }

        /// What one network holds, without connections that are being cut.
        private struct Holder {
            /// What it holds of all rows, in bytes.
            var bytes: Int
            /// What its unfinished bodies hold of that, in bytes.
            var bodies: Int
            /// Its connections, smallest first, and among equals the oldest first.
            var numbers: [UInt64] = []
        }

        /// What known clients hold, grouped by the largest network of each client.
        /// - Parameter pausedFirst: Whether connections whose client has to wait come before all others.
        private func holders(pausedFirst: Bool) -> [Holder] {
            var networks: [IPNetwork: Holder] = [:]
            for (network, bytes) in clients {
                let bodies = [HeldMemory.bodies, .longBodies].map { rows[$0.rawValue].held(by: network) }
                networks[network] = Holder(bytes: bytes, bodies: bodies.reduce(0, +))
            }
            for (number, connection) in connections {
                guard let network = connection.client?.largestNetwork else { continue }
                if connection.isCut {
                    networks[network]?.bytes -= connection.bytes + connection.leavingBodies
                    networks[network]?.bodies -= connection.leavingBodies
                } else {
                    networks[network]?.numbers.append(number)
                }
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

        /// What one browser holds, in bytes. Holders of less are not ordered by their bytes. Otherwise idle connections
        /// from many networks would cause the connections of users who sign in to be cut.
        private var small: Int { min(256 << 10, size / 64) }

        /// The order in which holders are cut. Among small holders, those with only idle connections come first.
        private func weight(of holder: Holder) -> Int {
            guard holder.bytes <= small else { return holder.bytes }
            return holder.bytes == holder.numbers.count * HeldMemory.connectionBytes ? 1 : 0
        }

        /// The index of the holder with the most weight, among those with more than a number of connections; `nil` if
        /// there is none.
        private static func heaviest(
            of holders: [Holder], besides count: Int = 0, by weight: (Holder) -> Int
        ) -> Int? {
            holders.indices.filter { holders[$0].numbers.count > count }.max {
                weight(holders[$0]) < weight(holders[$1])
            }
        }
    }
}
