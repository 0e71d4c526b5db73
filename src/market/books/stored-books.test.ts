import { expect, test } from 'bun:test'
import { packBook } from '../schema/book-blocks.ts'
import { booksOfBlock } from './book-cache.ts'

const COUNT = 200
const changes = Array.from({ length: COUNT }, (_, at) => ({
  timeMs: 1_000 + at,
  bids: at % 5 === 0 ? [] : [{ px: 500 - (at % 7), lots: at, orders: 1 }],
  asks: [
    { px: 600 + (at % 11), lots: 3, orders: 1 + (at % 3) },
    { px: 700 + at, lots: 0, orders: 0 },
  ],
})) as unknown as Parameters<typeof packBook>[0]

const wanted = (at: number) => {
  const { bids, asks } = changes[at] as (typeof changes)[number]
  return [bids, asks].map((side) => side.map(({ px, lots, orders }) => [px, lots, orders]))
}

for (const [order, places] of [
  ['in order', (at: number) => at],
  ['backwards', (at: number) => COUNT - 1 - at],
  ['to and fro', (at: number) => (at * 7_919) % COUNT],
] as const)
  test(`changes of a block do not depend on the order of reads: ${order}`, () => {
    const stored = booksOfBlock(packBook(changes), false)
    for (let n = 0; n < COUNT; n++) {
      const at = places(n)
      expect(stored.changes(at) as unknown).toEqual(wanted(at))
      expect(stored.changes(at) as unknown).toEqual(wanted(at))
    }
  })
