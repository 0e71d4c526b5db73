import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { NumberReader, NumberWriter } from './bar-blocks.ts'

test('whole numbers of any length and sign are read as they were written', () => {
  const edges = Array.from({ length: 53 }, (_, bits) => [2 ** bits - 1, -(2 ** bits), 2 ** bits])
  const number = fc.oneof(
    fc.integer({ min: -(2 ** 51), max: 2 ** 51 }),
    fc.constantFrom(...edges.flat().filter((value) => Math.abs(value) < 2 ** 52)),
  )
  fc.assert(
    fc.property(fc.array(number, { maxLength: 60 }), (numbers) => {
      const bytes = new NumberWriter()
      for (const one of numbers) bytes.add(one)
      const reader = new NumberReader(bytes.finish())
      // Zero has no sign in it.
      expect(numbers.map(() => reader.next())).toEqual(numbers.map((one) => one + 0))
    }),
  )
})
