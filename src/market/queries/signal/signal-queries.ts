/** Signals: fired alerts, strategies, sudden changes (the service's documentation, Signals). */

import {
  later,
  MINUTE_MS,
  shownMs as shownAs,
  shownAt,
  shownMs,
  type TapeMs,
  tapeAt,
} from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { AlertCondition } from '../../../contract/alert-catalogue.ts'
import { parseSubType } from '../../../contract/alert-catalogue.ts'
import type { Facts, Moment, SignalFacts } from '../../../contract/facts.ts'
import type { AlertSetItem, SignalAlert } from '../../../contract/records/signal.ts'
import {
  type ChangeSignal,
  STRATEGY_KEYS,
  STRATEGY_MAPPING,
  type StrategyKey,
  type StrategyPage,
  type StrategyRow,
} from '../../../contract/records/signal.ts'
import type { AlertSetting } from '../../../contract/tenant.ts'
import { format, type Px, raw } from '../../../decimal/quantity.ts'
import { type Pair, pairsOf } from '../../exchanges/exchanges.ts'
import { pairPxBefore, pairPxOf, pairTally } from '../../exchanges/pair-tallies.ts'
import { coinsOf } from '../../rows/coins.ts'
import { columns, type RowOf } from '../../rows/columns.ts'
import { lastUpTo } from '../../rows/step-series.ts'
import { type InstrumentRow, pxText, trade } from '../../schema/schema.ts'
import { Cache, perListing, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import { alertRule, WARM_UP } from './alert-rules.ts'
import { priceBarsOf } from './price-bars.ts'
import { quartersOf } from './quarter-hours.ts'
import { type StrategySignal, strategySignalsOf } from './strategy-signals.ts'
import { suddenChangesOf } from './sudden-changes.ts'

// Firing times of alerts: a pure function of their settings and of later events, reproducible at
// any time.

/** Bars for which an alert is watched after it was set. */
const WATCHED_BARS = 1_500

/** Newest first. */
function firedAlerts(
  world: World,
  moment: Moment,
  settings: readonly AlertSetting[],
): SignalAlert[] {
  return settings
    .flatMap((setting) => {
      const condition = parseSubType(setting.subType)
      const pair = pairsOf(world).get(setting.symbol)
      if (!condition || !pair) return []
      const complete =
        condition.numbers.length > 0
          ? condition
          : { ...condition, numbers: [Number(setting.price)] }
      const setMs = tapeAt(shownMs(setting.shownMs), moment.shiftMs)
      const firings = firingsOf(world, moment, pair, complete, setMs)
      return firings.map((firing) => ({ ...firing, setting, pair, side: condition.side }))
    })
    .sort((a, b) => b.timeMs - a.timeMs || b.setting.id - a.setting.id)
    .map(({ timeMs, px, setting, pair, side }) => ({
      tp_key: setting.symbol,
      sub_type: setting.subType,
      side,
      ews_price: pxText(pair.instrument, pairPxOf(world, pair, px, timeMs)),
      ews_time: String(Math.floor(timeMs / 1000)),
    }))
}

const RINGS = columns({ timeMs: trade.timeMs, px: trade.px })

/** Instant of a trade or bar, and the venue's price. */
type AlertFiring = RowOf<typeof RINGS>

/** Oldest first; at most one unless alerts repeat. */
function firingsOf(
  world: World,
  moment: Moment,
  pair: Pair,
  condition: AlertCondition,
  setMs: TapeMs,
) {
  if (condition.indicator === 'price') return priceFirings(world, moment, pair, condition, setMs)
  const firings = barFirings(world, moment, pair, condition, setMs)
  return moment.answers['alert-repeats'] === 'each' ? firings : firings.slice(0, 1)
}

function barFirings(
  world: World,
  moment: Moment,
  { instrument }: Pair,
  condition: AlertCondition,
  setMs: TapeMs,
): AlertFiring[] {
  const lengthMs = condition.minutes * MINUTE_MS
  // A fixed start, so that averages never change in hindsight.
  const fromMs = later(setMs, -WARM_UP * lengthMs)
  const untilMs = later(setMs, WATCHED_BARS * lengthMs)
  const bars = priceBarsOf(world, moment, instrument, { lengthMs, fromMs, untilMs })
  const isTrue = alertRule(condition, bars)
  return bars.flatMap(({ endMs, close }, at) =>
    endMs > setMs && isTrue(at) ? { timeMs: endMs, px: close } : [],
  )
}

/** The first trade since then at or beyond the price. */
function priceFirings(
  world: World,
  { atMs }: Moment,
  pair: Pair,
  { side, numbers: [limit = 0] }: AlertCondition,
  setMs: TapeMs,
): AlertFiring[] {
  const { id, pxDecimals } = pair.instrument
  const target = limit * 10 ** pxDecimals
  const hasCome = (px: Px) => (side === 'buy' ? raw(px) >= target : raw(px) <= target)
  const range = pairTally(world, pair, later(setMs, 1), later(atMs, 1))
  if (range === null || !hasCome(side === 'buy' ? range.high : range.low)) return []
  for (const firing of tradesBetween(world).iterate(id, setMs, atMs))
    if (hasCome(pairPxOf(world, pair, firing.px, firing.timeMs))) return [firing]
  return []
}

const tradesBetween = perWorld(({ db }) =>
  RINGS.prepare<[instrument: number, afterMs: TapeMs, toMs: TapeMs]>(
    db,
    'from trade where instrument = ? and timeMs > ? and timeMs <= ? order by timeMs, id',
  ),
)

export class SignalQueries implements SignalFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  price(symbol: string): string | null {
    const pair = pairsOf(this.world).get(symbol.toLowerCase())
    const px = pair ? pairPxBefore(this.world, pair, later(this.moment.atMs, 1)) : null
    return pair && px !== null ? pxText(pair.instrument, px) : null
  }

  firedAlerts(settings: readonly AlertSetting[]): SignalAlert[] {
    return firedAlerts(this.world, this.moment, settings)
  }

  alertSettings(settings: readonly AlertSetting[]): AlertSetItem[] {
    return settings.map(({ id, symbol, price, subType, shownMs }) => ({
      id: String(id),
      tpKey: symbol,
      setPrice: price,
      subType,
      setTime: String(Math.floor(tapeAt(shownAs(shownMs), this.moment.shiftMs) / 1000)),
    }))
  }

  strategyPage(query: Parameters<SignalFacts['strategyPage']>[0]): Slices<StrategyPage> {
    return strategyPage(this.world, this.moment, query)
  }

  changes(query: Parameters<SignalFacts['changes']>[0]): Slices<ChangeSignal[]> {
    return suddenChangesOf(this.world, this.moment, query)
  }
}

/**
 * Pages of strategy signals, and the coins that have any (the service's documentation, Strategy
 * signals).
 */
const PAGE_SIZE = 100

/** The 100 after an instant, or the latest 100. */
function* strategyPage(
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

/** Decimals of rates. */
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

/** Cached lists: one for each coin, strategy and offset of the quarters in shown time. */
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

/** Spot has no long and short accounts. */
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

/** By key of the coin or its symbol, case-insensitive. */
function coinNamed(world: World, name: string): InstrumentRow | null {
  const word = name.trim().toLowerCase()
  const coins = coinsOf(world)
  const found =
    coins.get(word) ?? [...coins.values()].find(({ asset }) => asset.show.toLowerCase() === word)
  return found?.instrument ?? null
}
