/** One account buys or sells a lot. */
import { Type } from '@sinclair/typebox'
import { CoinField, LengthField, UsdField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const whale = eventKind({
  kind: 'whale',
  about:
    'One account buys or sells the given amount, with one market order or in parts over time ' +
    '(a TWAP).',
  fields: Type.Object(
    {
      coin: CoinField,
      side: Type.Union([Type.Literal('buy'), Type.Literal('sell')], {
        description: '`buy` or `sell`',
      }),
      usd: UsdField('total amount'),
      overS: Type.Optional(LengthField('duration of a TWAP; one market order by default')),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'whale', coin: 'ETH', side: 'buy', usd: 3_000_000, overS: 600 },
  lengthS: ({ overS = 0 }) => overS,
  shortage({ side, usd, overS }, standing) {
    if (overS !== undefined) return shareOfVolume(usd, overS, standing)
    const [what, standingUsd] =
      side === 'buy' ? (['asked', standing.askUsd] as const) : (['bid', standing.bidUsd] as const)
    const mostUsd = Math.floor(standingUsd * BOOK_SHARE_MAX)
    if (usd <= mostUsd) return undefined
    const message =
      `is ${usd}: in the book of ${standing.coin} ${Math.round(standingUsd)} dollars are ` +
      `${what}, of which one order takes at most ${100 * BOOK_SHARE_MAX} % (${mostUsd}); ` +
      'give overS to trade it in parts'
    return { field: 'usd', message }
  },
  excludes: [{ kind: 'halt', of: 'same coin', why: 'a coin that is halted is not traded' }],
})

/** An order that takes more than that would leave no price. */
const BOOK_SHARE_MAX = 0.5
/** So much more than is traded in the time besides. */
const VOLUME_SHARE_MAX = 10

function shareOfVolume(
  usd: number,
  overS: number,
  { coin, dayVolumeUsd }: { coin: string; dayVolumeUsd: number },
) {
  const mostUsd = Math.max(1_000, Math.floor((VOLUME_SHARE_MAX * dayVolumeUsd * overS) / 86_400))
  if (usd <= mostUsd) return undefined
  const message =
    `is ${usd}: of ${coin} ${Math.round(dayVolumeUsd)} dollars are traded in a day, and ` +
    `${overS} s take at most ${mostUsd} more, ${VOLUME_SHARE_MAX} times what is usual; ` +
    'give a longer overS or less'
  return { field: 'usd', message }
}
