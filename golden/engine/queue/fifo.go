// Package queue holds the two things a cycle-exact unit is made of besides its rules: a FIFO and a fixed delay.
//
// Both show the state at the start of the cycle, whatever has been done in it: Room, Has and Len do not change between
// two calls of Close. So a unit may carry out the actions of a cycle in any order (spec: cycle.number, cycle.flow).
package queue

import "fmt"

// Fifo is a first-word fall-through FIFO with registered status (spec: cycle.fifo). The zero Fifo holds nothing and
// has no room.
type Fifo[T any] struct {
	buf        []T
	mask       uint
	head, tail uint // free-running; entries are tail - head
	start      uint // entries at the start of the cycle
	depth      uint
}

// NewFifo returns an empty FIFO of depth entries. It panics if depth is not positive: depths come from the spec.
func NewFifo[T any](depth int) Fifo[T] {
	if depth < 1 {
		panic(fmt.Sprintf("queue: fifo depth %d is not positive", depth))
	}
	size := uint(1)
	for size < uint(depth) {
		size *= 2
	}
	return Fifo[T]{buf: make([]T, size), mask: size - 1, depth: uint(depth)}
}

// Room tells whether the FIFO takes an entry in this cycle.
func (f *Fifo[T]) Room() bool { return f.start < f.depth }

// Has tells whether the FIFO gives its oldest entry in this cycle.
func (f *Fifo[T]) Has() bool { return f.start != 0 }

// Len is the number of entries at the start of the cycle.
func (f *Fifo[T]) Len() int { return int(f.start) }

// Front is the oldest entry; it stays as it is until a Push of a later cycle takes its place. Call it only if Has,
// and before Pop.
func (f *Fifo[T]) Front() *T { return &f.buf[f.head&f.mask] }

// Pop takes the oldest entry out in this cycle. Call it only if Has, once a cycle.
func (f *Fifo[T]) Pop() { f.head++ }

// Push puts an entry in and returns its place, which holds old data: the caller fills all of it. The caller has seen
// Room or holds a credit; a FIFO that overflows is a programmer's mistake, and Push panics.
func (f *Fifo[T]) Push() *T {
	if f.tail-f.head > f.mask {
		panic("queue: push into a full fifo: neither room nor credit was checked")
	}
	place := &f.buf[f.tail&f.mask]
	f.tail++
	return place
}

// Close ends the cycle.
func (f *Fifo[T]) Close() { f.start = f.tail - f.head }
