/** Positions of one side are liquidated. */
import { Type } from '@sinclair/typebox'
import { CoinField, LengthField, UsdField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const liquidations = eventKind({
  kind: 'liquidations',
  about:
    'Positions of one side are liquidated, up to the given amount. The market moves to their ' +
    'liquidation prices, and the existing positions there are closed by market orders.',
  fields: Type.Object(
    {
      coin: CoinField,
      side: Type.Union([Type.Literal('long'), Type.Literal('short')], {
        description: 'side of the positions: `long` or `short`',
      }),
      usd: Type.Optional(UsdField('amount to liquidate')),
      interestPct: Type.Optional(
        Type.Number({
          minimum: 0.01,
          maximum: 30,
          description: 'amount in percent of the open interest; instead of `usd`',
        }),
      ),
      overS: Type.Optional(LengthField('duration, 60 by default')),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'liquidations', coin: 'BTC', side: 'long', usd: 20_000_000, overS: 60 },
  lengthS: ({ overS = LIQUIDATION_S }) => overS,
  flaw: ({ usd, interestPct }) =>
    (usd === undefined) === (interestPct === undefined)
      ? { field: 'usd', message: 'or interestPct says how much: give one of the two' }
      : undefined,
  settled: ({ interestPct, ...event }, { openInterestUsd }) =>
    interestPct === undefined
      ? event
      : { ...event, usd: Math.round((openInterestUsd * interestPct) / 100) },
  shortage({ usd = 0 }, { coin, kind, openInterestUsd }) {
    if (kind === 'spot')
      return { field: 'coin', message: `is ${coin}, a spot pair, in which there are no positions` }
    const mostUsd = Math.floor(openInterestUsd * INTEREST_SHARE_MAX)
    if (usd <= mostUsd) return undefined
    const message =
      `is ${usd}: of ${coin} positions of ${Math.round(openInterestUsd)} dollars are open, ` +
      `of which at most ${100 * INTEREST_SHARE_MAX} % (${mostUsd}) can be liquidated at once`
    return { field: 'usd', message }
  },
  excludes: [
    {
      kind: 'liquidations',
      of: 'same coin',
      why: 'two cascades of one coin cannot be told apart: ask for one of their sum',
    },
    { kind: 'halt', of: 'same coin', why: 'a coin that is halted is not traded' },
    {
      kind: 'move',
      of: 'same coin',
      when: ({ side }: { side: string }, { pct }: { pct: number }) => (side === 'long') !== pct < 0,
      why: 'longs are liquidated when the price falls, shorts when it rises',
    },
  ],
})

/** How long a cascade takes unless it is said. */
export const LIQUIDATION_S = 60
/** More than that would leave no market. */
const INTEREST_SHARE_MAX = 0.3
