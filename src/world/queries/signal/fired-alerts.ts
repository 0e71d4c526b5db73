/**
 * When alerts fired: a pure function of how they were set and of what has happened since, so that
 * it can be computed at any time with the same result.
 */
import { MINUTE_MS } from '../../../clock/durations.ts'
import { later, shownMs, type TapeMs, tapeAt } from '../../../clock/instant.ts'
import type { AlertCondition } from '../../../contract/alert-catalogue.ts'
import { parseSubType } from '../../../contract/alert-sub-type.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { SignalAlert } from '../../../contract/records/signal-alert.ts'
import type { AlertSetting } from '../../../contract/tenant/alerts.ts'
import { type Px, raw } from '../../../decimal/quantity.ts'
import { pairPxOf, pairTally } from '../../exchanges/pair-tallies.ts'
import { type Pair, pairsOf } from '../../exchanges/pairs.ts'
import { perWorld } from '../../per-world.ts'
import { columns, type RowOf } from '../../rows/columns.ts'
import { pxText, trade } from '../../schema.ts'
import type { World } from '../../world.ts'
import { alertRule, WARM_UP } from './alert-rules.ts'
import { priceBarsOf } from './price-bars.ts'

/** So many bars after it was set an alert is watched. */
const WATCHED_BARS = 1_500

/** Newest first. */
export function firedAlerts(
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

/** A trade's or a bar's instant, and the price of the own venue. */
type AlertFiring = RowOf<typeof RINGS>

/** Oldest first; one at most unless alerts repeat. */
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
  // They begin at a fixed place, so that averages never change in hindsight.
  const fromMs = later(setMs, -WARM_UP * lengthMs)
  const untilMs = later(setMs, WATCHED_BARS * lengthMs)
  const bars = priceBarsOf(world, moment, instrument, { lengthMs, fromMs, untilMs })
  const isTrue = alertRule(condition, bars)
  return bars.flatMap(({ endMs, close }, at) =>
    endMs > setMs && isTrue(at) ? { timeMs: endMs, px: close } : [],
  )
}

/** The first trade since then at the price or beyond it. */
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
