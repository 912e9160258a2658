// SPDX-License-Identifier: Apache-2.0

/// A binary heap: a collection from which the least element is removed first. Inserting and removing an element takes
/// O(log *n*) comparisons.
package struct EarliestFirst<Element: Comparable> {
    private var elements: [Element] = []

    /// Creates an empty heap.
    package init() {}

    /// The number of elements.
    package var count: Int { elements.count }

    /// The least element.
    package var first: Element? { elements.first }

    /// Inserts an element.
    package mutating func insert(_ element: Element) {
        elements.append(element)
        rise(from: elements.count - 1)
    }

    /// Removes the least element and returns it.
    package mutating func popFirst() -> Element? {
        guard let least = elements.first, let last = elements.popLast() else { return nil }
        if !elements.isEmpty {
            elements[0] = last
            sink(from: 0)
        }
        return least
    }

    /// Removes all elements for which the closure returns `false`, in O(*n*).
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
