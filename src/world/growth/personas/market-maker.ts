import { HOUR_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { absolute, raw, ZERO } from '../../../decimal/quantity.ts'
import type { MarketState } from '../../casting/market/market-state.ts'
import { quotedPx, quoteOnce } from '../../casting/market/quoted-price.ts'
import type { LiveOrder } from '../../casting/matching/order-manager.ts'
import { MAKER } from '../../casting/personas/market-maker.ts'
import type { PersonaDay } from './persona-day.ts'

const QUOTE_MS = 12_000
/** Both sides are offered for so long at most, until one of them is met. */
const OFFERED_MS = 12 * MINUTE_MS
const WINDOW = { periodMs: HOUR_MS, within: 0.7 }

/** Offers both sides now and then, and then the other side of what it holds. Takes nothing. */
export function goOnAsMarketMaker(day: PersonaDay): void {
  for (const market of day.perps.slice(0, MAKER.markets)) {
    let offersUntilMs = 0
    const holding = day.holding(market)
    const name = `of ${market.row.coin}`
    const whole = day.size(market, MAKER.value)
    day.each(`window ${name}`, WINDOW, (timeMs) => {
      offersUntilMs = timeMs + OFFERED_MS
    })
    day.each(`quote ${name}`, { periodMs: QUOTE_MS, within: 0.5 }, (timeMs) => {
      if (holding.sz !== ZERO) {
        // Who has bought offers what he has.
        offersUntilMs = 0
        const side = holding.sz > ZERO ? 'A' : 'B'
        quoteOnce(day.context.venue, holding, side, absolute(holding.sz), timeMs)
      } else if (timeMs < offersUntilMs) {
        const offer = (side: 'B' | 'A') => ({ px: quotedPx(market, side), sz: whole })
        day.context.venue.quote({ holding, bid: offer('B'), ask: offer('A') }, timeMs)
      }
    })
    day.each(`rest ${name}`, { periodMs: HOUR_MS, within: 1 }, (timeMs) =>
      restOrders(day, market, timeMs),
    )
  }
}

/** Has orders rest on each side of the price, some way off, where it has none. */
function restOrders({ context, agent }: PersonaDay, market: MarketState, timeMs: number): void {
  const isOwn = (one: LiveOrder) => one.owner === agent && one.endMs === null
  for (const side of ['B', 'A'] as const) {
    if (market.passiveOrders.some((one) => isOwn(one) && one.side === side)) continue
    for (const away of MAKER.resting.away) {
      const limitPx = market.onTick(raw(market.px) * (1 + (side === 'B' ? -away : away)))
      const origSz = market.sizeFor(MAKER.resting.usd)
      context.passiveOrders.place(agent, market, { timeMs, side, limitPx, origSz, tif: 'Alo' })
    }
  }
}
