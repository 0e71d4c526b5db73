/**
 * Pages of strategy signals, and for which coins there are any (the service's documentation,
 * Strategy signals).
 */

import { shownAt } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import {
  STRATEGY_KEYS,
  STRATEGY_MAPPING,
  type StrategyKey,
  type StrategyPage,
  type StrategyRow,
} from '../../../contract/records/signal.ts'
import { format } from '../../../decimal/scaled.ts'
import { lastUpTo } from '../../binary-search.ts'
import { Cache } from '../../cache.ts'
import { perListing, perWorld } from '../../per-world.ts'
import { coinsOf } from '../../rows/coins.ts'
import { type InstrumentRow, pxText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { quartersOf } from './quarter-hours.ts'
import { type StrategySignal, strategySignalsOf } from './strategy-signals.ts'

const PAGE_SIZE = 100

/** The 100 after an instant, or the latest 100. */
export function* strategyPage(
  world: World,
  moment: Moment,
  { coinType, key, afterMs }: Parameters<Facts['signal']['strategyPage']>[0],
): Slices<StrategyPage> {
  const coin = coinNamed(world, coinType)
  const isFollowed = coin && categoriesOf(key).includes(categoryOf(coin))
  const all = isFollowed ? yield* signalsOf(world, moment, coin, key) : []
  const times = all.map(({ timeMs }) => timeMs)
  const known = lastUpTo(times, moment.atMs) + 1
  const from = afterMs === undefined ? Math.max(0, known - PAGE_SIZE) : lastUpTo(times, afterMs) + 1
  const page = all.slice(from, Math.min(from + PAGE_SIZE, known))
  const rows = coin ? page.map((one) => strategyRow(one, { moment, coin, key })) : []
  const isNewest = moment.answers['strategy-signal-order'] === 'newest'
  return {
    mapping: [...STRATEGY_MAPPING],
    list: isNewest ? rows.reverse() : rows,
    supportList: supportOf(world),
    latest_time: String(page.at(-1)?.timeMs ?? afterMs ?? moment.atMs),
  }
}

/** Places of rates. */
const PLACES = 4

const rateText = (value: number) => format(Math.round(value * 10 ** PLACES), PLACES, PLACES)

function strategyRow(
  signal: StrategySignal,
  { moment, coin, key }: { moment: Moment; coin: InstrumentRow; key: StrategyKey },
): StrategyRow {
  const { timeMs, side, px, advice } = signal
  const shownS = Math.floor(shownAt(timeMs, moment.shiftMs) / 1000)
  const isSettled = signal.settledMs <= moment.atMs
  return [
    `${shownS}${String(STRATEGY_KEYS.indexOf(key) + 1)}${String(coin.id).padStart(3, '0')}`,
    String(timeMs),
    key,
    side,
    rateText(advice.capital),
    rateText(advice.won),
    rateText(advice.gain),
    rateText(advice.loss),
    isSettled ? (signal.hasWon ? 'won' : 'lost') : 'running',
    pxText(coin, px),
  ]
}

/** Lists cached: one for each coin, strategy and place of the quarters on the shown clock. */
const CACHE_LIMIT = 200

const signalCache = perWorld(() => new Cache<string, StrategySignal[]>(CACHE_LIMIT))

function* signalsOf(
  world: World,
  moment: Moment,
  coin: InstrumentRow,
  key: StrategyKey,
): Slices<StrategySignal[]> {
  const name = `${coin.id}/${key}/${quartersOf(world, moment)}`
  const known = signalCache(world).find(name)
  return known ?? signalCache(world).put(name, yield* strategySignalsOf(world, moment, coin, key))
}

type Category = 'spot' | 'futures'

const categoryOf = ({ kind }: InstrumentRow): Category => (kind === 'perp' ? 'futures' : 'spot')

/** Spot knows neither long nor short accounts. */
const categoriesOf = (key: StrategyKey): Category[] =>
  key === 'lsur_one' ? ['futures'] : ['spot', 'futures']

const supportOf = perListing((world): StrategyPage['supportList'] => {
  const coins = [...coinsOf(world)].map(([coinType, { instrument }]) => ({
    coinType,
    category: categoryOf(instrument),
  }))
  return STRATEGY_KEYS.flatMap((strategy) =>
    coins
      .filter(({ category }) => categoriesOf(strategy).includes(category))
      .map((coin) => ({ strategy, ...coin })),
  )
})

/** By key of the coin or its symbol, in any letters. */
function coinNamed(world: World, name: string): InstrumentRow | null {
  const word = name.trim().toLowerCase()
  const coins = coinsOf(world)
  const found =
    coins.get(word) ?? [...coins.values()].find(({ asset }) => asset.show.toLowerCase() === word)
  return found?.instrument ?? null
}
