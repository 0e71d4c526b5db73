/** A coin's price goes by so many percent. */
import { Type } from '@sinclair/typebox'
import { CoinField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const move = eventKind({
  kind: 'move',
  about:
    'The price of a coin goes by so many percent, slowly at first and at the end, and takes back ' +
    'a part of that over as long again. Other coins go with it by their betas.',
  fields: Type.Object(
    {
      coin: CoinField,
      pct: Type.Number({
        exclusiveMinimum: -100,
        maximum: 500,
        description: 'by how many percent of its price; above -100, at which nothing would be left',
      }),
      overS: LengthField('how long it takes'),
      revertPct: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'how many percent of the move are taken back, over as long again',
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
