/** A coin's price goes by so many percent. */
import { Type } from '@sinclair/typebox'
import { CoinField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const move = eventKind({
  kind: 'move',
  about:
    'The price of a coin moves by the given percentage, with a slow start and end. Then it can ' +
    'return by a part of the move, over the same time. Other coins follow by their betas.',
  fields: Type.Object(
    {
      coin: CoinField,
      pct: Type.Number({
        exclusiveMinimum: -100,
        maximum: 500,
        description: 'size of the move in percent of the price; more than -100',
      }),
      overS: LengthField('duration'),
      revertPct: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'part of the move that is taken back over the same time, in percent',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'move', coin: 'BTC', pct: -5, overS: 120, revertPct: 50 },
  lengthS: ({ overS, revertPct = 0 }) => (revertPct > 0 ? 2 * overS : overS),
  flaw({ pct, overS }) {
    if (pct === 0) return { field: 'pct', message: 'is 0: that is no move' }
    const leastS = Math.ceil(Math.abs(Math.log1p(pct / 100)) / FASTEST_PER_S)
    if (overS >= leastS) return undefined
    const message = `is ${overS}: a move by ${pct} % takes ${leastS} s at least`
    return { field: 'overS', message }
  },
  excludes: [
    {
      kind: 'move',
      of: 'all coins',
      why: 'one move at a time: the other coins follow it by their betas',
    },
    { kind: 'halt', of: 'same coin', why: 'a coin that is halted does not move' },
  ],
})

/** Logarithm of the price in a second: at more than that a book has no price in between. */
const FASTEST_PER_S = 0.05
