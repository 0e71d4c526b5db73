import { px } from '../../../decimal/quantity.ts'
import { fundingDecimalsFor } from '../../accounting/funding.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import type { MarketSurvey } from '../survey/tape-survey.ts'
import type { InputInstrument } from '../tape-input.ts'

/** Token numbers of the venue; others are numbered from 1000 on. */
const KNOWN_TOKENS: Record<string, number> = { USDC: 0, PURR: 1, HYPE: 150, USDT: 268 }
const FIRST_FREE_TOKEN = 1000

/** Numbers instruments as the venue lists them: perpetuals by dex, spot by pair and token. */
export function instrumentRows(
  instruments: readonly InputInstrument[],
  surveys: readonly MarketSurvey[],
): InstrumentRow[] {
  const places = new Map<string, number>()
  const tokens = new Map(Object.entries(KNOWN_TOKENS))
  const token = (name: string) => {
    const known = tokens.get(name)
    if (known !== undefined) return known
    const next = FIRST_FREE_TOKEN + tokens.size
    tokens.set(name, next)
    return next
  }
  return instruments.map((instrument, id) => {
    const { coin, kind, dex, base, quote, pxDecimals, szDecimals, maxLeverage } = instrument
    const survey = surveys[id]
    const spot = kind === 'spot'
    const list = spot ? 'spot' : `perp ${dex}`
    const listIndex = places.get(list) ?? 0
    places.set(list, listIndex + 1)
    const pair = /^@(\d+)$/.exec(coin)
    return {
      id,
      coin,
      kind,
      dex,
      base,
      quote,
      pxDecimals,
      szDecimals,
      maxLeverage,
      asset: spot && pair ? Number(pair[1]) : listIndex,
      baseToken: spot ? token(base) : null,
      quoteToken: spot ? token(quote) : null,
      fundingDecimals: fundingDecimalsFor(survey?.firstPx ?? px(1), pxDecimals, szDecimals),
      tick: survey?.tick ?? px(1),
      firstPx: survey?.firstPx ?? null,
    }
  })
}
