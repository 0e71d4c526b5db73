/** TWAPs: what they are, how far they have come, and what they have yet to trade. */
import { DAY_MS } from '../../../../clock/durations.ts'
import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { TwapsFacts } from '../../../../contract/facts/perpdex/twaps.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  AddressTwap,
  TwapImpact,
  TwapState,
  TwapWall,
} from '../../../../contract/records/twap.ts'
import { spanMs } from '../../../../contract/span.ts'
import { compare, raw } from '../../../../decimal/quantity.ts'
import { format, mulDiv } from '../../../../decimal/scaled.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { type InstrumentRow, szText, usdText } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { executionWall } from './execution-wall.ts'
import {
  latestTwaps,
  runningTwaps,
  type StoredTwap,
  type TwapProgress,
  twapProgress,
} from './twap-progress.ts'

const PERCENT_DECIMALS = 6

export class TwapQueries implements TwapsFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  latest(address: string, { coin, limit }: { coin?: string | undefined; limit: number }) {
    const trader = tradersOf(this.world).find(address)
    const instrument = this.named(coin)
    if (!trader || instrument === undefined) return []
    const rows = latestTwaps(this.world, trader.id, instrument, this.moment.atMs, limit)
    return rows.map((row) => this.state(row))
  }

  running(address: string): [number, TwapState][] {
    const trader = tradersOf(this.world).find(address)
    if (!trader) return []
    const rows = runningTwaps(this.world, this.moment.atMs, null)
    return rows
      .filter((row) => row.trader === trader.id)
      .map((row) => {
        const { twapId, status: _, ...state } = this.state(row, NATIVE_DECIMALS)
        return [twapId, state]
      })
  }

  wall({ coin, interval }: Parameters<TwapsFacts['wall']>[0]): TwapWall {
    const instrument = this.named(coin)
    const running = instrument === undefined ? [] : this.runningProgress(instrument)
    return {
      coin: coin ?? null,
      time: this.moment.atMs,
      ...executionWall(running, this.moment, spanMs(interval), instrument ?? null),
    }
  }

  *topImpact({ coin, limit }: Parameters<TwapsFacts['topImpact']>[0]): Slices<TwapImpact[]> {
    const instrument = this.named(coin)
    if (instrument === undefined) return []
    const running = this.runningProgress(instrument)
    yield
    running.sort((a, b) => compare(b.value, a.value) || a.row.id - b.row.id)
    const impacts: TwapImpact[] = []
    for (const one of running.slice(0, limit)) {
      yield* tradeHoursOf(this.world).read(one.of.id, ...this.lastDay())
      impacts.push(this.impact(one))
      yield
    }
    return impacts
  }

  /** The running ones of a coin, or all for null, with what is left of each. */
  private runningProgress(instrument: InstrumentRow | null): TwapProgress[] {
    const rows = runningTwaps(this.world, this.moment.atMs, instrument)
    return rows.map((row) => twapProgress(this.world, row, this.moment.atMs))
  }

  private state(row: StoredTwap, keep = 0): AddressTwap {
    const { of, executedSz, executedNotional } = twapProgress(this.world, row, this.moment.atMs)
    const hasEnded = row.endMs !== null && row.endMs <= this.moment.atMs
    return {
      twapId: row.id,
      user: tradersOf(this.world).address(row.trader),
      coin: of.coin,
      side: row.side,
      sz: szText(of, row.sz, keep),
      executedSz: szText(of, executedSz, keep),
      executedNtl: usdText(executedNotional, keep),
      ...twapTerms(row),
      status: hasEnded ? (row.endStatus ?? 'finished') : 'activated',
    }
  }

  private impact({ row, of, executedSz, left, value }: TwapProgress): TwapImpact {
    const day = tradeHoursOf(this.world).tally(of.id, ...this.lastDay())
    const cents = Number(day.amount / 10_000n)
    return {
      twapId: row.id,
      address: tradersOf(this.world).address(row.trader),
      coin: of.coin,
      side: row.side,
      sz: szText(of, row.sz),
      executedSz: szText(of, executedSz),
      remainSz: szText(of, left),
      remainVal: usdText(value),
      ...twapTerms(row),
      endTime: row.plannedEndMs,
      // Micro-dollars over cents, in percent.
      impactPct: format(cents === 0 ? 0 : mulDiv(raw(value), 10_000, cents), PERCENT_DECIMALS),
    }
  }

  private lastDay(): [fromMs: TapeMs, toMs: TapeMs] {
    const { atMs } = this.moment
    return [later(atMs, 1 - DAY_MS), later(atMs, 1)]
  }

  /** null for all coins, undefined for one that is not known. */
  private named(coin: string | undefined): InstrumentRow | null | undefined {
    return coin === undefined ? null : this.world.byCoin.get(coin)
  }
}

const twapTerms = ({ minutes, reduceOnly, randomize, timeMs }: StoredTwap) => ({
  minutes,
  reduceOnly,
  randomize,
  timestamp: timeMs,
})
