// SPDX-License-Identifier: Apache-2.0

/// Elements of which the least one leaves first (a binary heap): to put one in or take one out takes as many comparisons
/// as their number has digits in base 2, in whatever order they come.
package struct EarliestFirst<Element: Comparable> {
    private var elements: [Element] = []

    /// None.
    package init() {}

    /// How many there are.
    package var count: Int { elements.count }

    /// The least one.
    package var first: Element? { elements.first }

    /// Puts one in.
    package mutating func insert(_ element: Element) {
        elements.append(element)
        rise(from: elements.count - 1)
    }

    /// Takes the least one out.
    package mutating func popFirst() -> Element? {
        guard let least = elements.first, let last = elements.popLast() else { return nil }
        if !elements.isEmpty {
            elements[0] = last
            sink(from: 0)
        }
        return least
    }

    /// Takes out all that are not to be kept; in proportion to how many there are.
    package mutating func keep(where isKept: (Element) -> Bool) {
        elements = elements.filter(isKept)
        for index in (0..<elements.count / 2).reversed() { sink(from: index) }
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard elements[index] < elements[parent] else { return }
            elements.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func sink(from start: Int) {
        var index = start
        while true {
            var least = index
            let left = 2 * index + 1
            if left < elements.count, elements[left] < elements[least] { least = left }
            if left + 1 < elements.count, elements[left + 1] < elements[least] { least = left + 1 }
            guard least != index else { return }
            elements.swapAt(index, least)
            index = least
        }
    }
}

extension EarliestFirst: Sendable where Element: Sendable {}
