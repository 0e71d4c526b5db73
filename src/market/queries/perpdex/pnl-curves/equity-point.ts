/** What a trader owned at any one instant. */
import type { TapeMs } from '../../../../clock/instant.ts'
import { add, negate, subtract, type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { fundingBetween } from '../../../accounting/funding.ts'
import { positionValue, unrealisedPnl } from '../../../accounting/margin.ts'
import { lateCharges, type Place } from '../../../rows/funding-charges.ts'
import { type PlaceQuotes, placeQuotes } from '../../../rows/place-quotes.ts'
import { traderHistories } from '../../../rows/trader-histories.ts'
import { depositsAt, type HoldingHistory } from '../../../rows/trader-history.ts'
import type { InstrumentRow } from '../../../schema/schema.ts'
import type { World } from '../../../world/world.ts'

/** What a trader owned at an instant, and what had come in by then. */
export interface EquityPoint {
  timeMs: TapeMs
  main: Usd
  builder: Usd
  spot: Usd
  /** Sums of what came in less what went out, tokens at their value then. */
  perpIn: Usd
  spotIn: Usd
}

/** Where money can be: the main dex, all builder dexes, spot. */
export type AccountKind = 'main' | 'builder' | 'spot'

/** Of the name of a dex. */
export const kindOfDex = (dex: string): AccountKind =>
  dex === '' ? 'main' : dex === 'spot' ? 'spot' : 'builder'

/** Where the value of a holding counts. */
export const kindOfHolding = ({ kind, dex }: InstrumentRow): AccountKind =>
  kind === 'spot' ? 'spot' : kindOfDex(dex)

/** Zeros before anything has happened. */
export function equityPointAt(world: World, trader: number, place: Place): EquityPoint {
  const quotes = placeQuotes(world)(place)
  const { atMs } = quotes
  const history = traderHistories(world).of(trader)
  const { perp: perpIn, spot: spotIn } = depositsAt(history, atMs)
  const point = { timeMs: atMs, main: NONE, builder: NONE, spot: NONE, perpIn, spotIn }
  for (const { dex, cash } of history.accounts) {
    const kind = kindOfDex(dex)
    point[kind] = add(point[kind], usd(cash.at(atMs) ?? 0))
  }
  for (const holding of history.holdings) {
    const kind = kindOfHolding(holding.instrument)
    point[kind] = add(point[kind], holdingValue(world, holding, quotes))
  }
  return point
}

const NONE: Usd = ZERO

/** Of a token its value; of a perpetual its unrealised PnL less the funding paid. */
function holdingValue(world: World, history: HoldingHistory, quotes: PlaceQuotes): Usd {
  const { instrument: of } = history
  const row = history.lastUpTo(quotes.atMs)
  if (row < 0) return ZERO
  const sz = history.sz(row)
  if (of.kind === 'spot') return sz === ZERO ? ZERO : positionValue(sz, quotes.of(of).px, of)
  const late = lateCharges(world, history, row, quotes.delayMs).allTime
  const paid = add(history.funding(row), late)
  if (sz === ZERO) return negate(paid)
  const { px, fundingIndex } = quotes.of(of)
  const since = fundingBetween(sz, history.fundingIndex(row), fundingIndex, of)
  const gain = unrealisedPnl({ sz, cost: history.cost(row) }, px, of)
  return subtract(gain, add(paid, since))
}
