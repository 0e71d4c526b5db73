import { px } from '../../../decimal/quantity.ts'
import { fundingDecimalsFor } from '../../accounting/funding.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { MarketSurvey } from '../survey/tape-survey.ts'
import type { InputInstrument } from '../tape-input.ts'

/** Token numbers that everybody knows; the others are given out from 1000 on. */
const KNOWN_TOKENS: Record<string, number> = { USDC: 0, PURR: 1, HYPE: 150, USDT: 268 }
const FIRST_FREE_TOKEN = 1000

/** Numbers instruments as the venue lists them: perpetuals by dex, spot by pair and token. */
export function instrumentRows(
  instruments: readonly InputInstrument[],
  looks: readonly MarketSurvey[],
): InstrumentRow[] {
  const places = new Map<string, number>()
  const tokens = new Map(Object.entries(KNOWN_TOKENS))
  const token = (name: string) => {
    const known = tokens.get(name)
    if (known !== undefined) return known
    const fresh = FIRST_FREE_TOKEN + tokens.size
    tokens.set(name, fresh)
    return fresh
  }
  return instruments.map((one, id) => {
    const { coin, kind, dex, base, quote, pxDecimals, szDecimals, maxLeverage } = one
    const look = looks[id]
    const spot = kind === 'spot'
    const list = spot ? 'spot' : `perp ${dex}`
    const place = places.get(list) ?? 0
    places.set(list, place + 1)
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
      asset: spot && pair ? Number(pair[1]) : place,
      baseToken: spot ? token(base) : null,
      quoteToken: spot ? token(quote) : null,
      fundingDecimals: fundingDecimalsFor(look?.firstPx ?? px(1), pxDecimals, szDecimals),
      tick: look?.tick ?? px(1),
      firstPx: look?.firstPx ?? null,
    }
  })
}
