/** The state of every market of the venue. */

import { DAY_MS, later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import { runToEnd, type Slices } from '../../../../clock/turns.ts'
import type { AssetContextsFacts, TimeRange } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  PerpContext,
  PerpDex,
  SpotContext,
} from '../../../../contract/records/asset-context.ts'
import type { FundingRate, PredictedFunding } from '../../../../contract/records/funding.ts'
import { spanMs } from '../../../../contract/span.ts'
import { add, format, type Rate, raw, ZERO } from '../../../../decimal/quantity.ts'
import { randomSource } from '../../../../random/random-source.ts'
import type { Book, PriceLevel } from '../../../books/book.ts'
import { bestPrices, bookCacheOf } from '../../../books/book-cache.ts'
import { exchangesListing, marketKey } from '../../../exchanges/exchanges.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { assetOf } from '../../../rows/assets.ts'
import { columns } from '../../../rows/columns.ts'
import { chargeDelayMs } from '../../../rows/funding-charges.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { openInterestAt } from '../../../rows/open-interest.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import {
  funding,
  type InstrumentRow,
  mark,
  pxText,
  RATE_DECIMALS,
  szText,
} from '../../../schema/schema.ts'
import { perListing, perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import { fundingRatesOf } from '../../futures/funding-rates.ts'

/** Dollars of a market order whose average price is the impact price. */
const IMPACT_USD = { major: 20_000, other: 6_000 }
const MAJOR = ['BTC', 'ETH']

/** Average prices of a sale and a purchase of the impact notional; null for a thinner book. */
export function impactPrices(book: Book, of: InstrumentRow): [string, string] | null {
  const usd = IMPACT_USD[MAJOR.includes(of.base) ? 'major' : 'other']
  const [bid, ask] = [averagePx(book.bids, usd, of), averagePx(book.asks, usd, of)]
  return bid === null || ask === null ? null : [bid, ask]
}

/** Rounded once, at one more decimal than prices have. */
function averagePx(side: readonly PriceLevel[], usd: number, of: InstrumentRow): string | null {
  const scale = of.pxDecimals + of.szDecimals
  const target = BigInt(usd) * 10n ** BigInt(scale)
  let [spent, size] = [0n, 0n]
  for (const { px, sz } of side) {
    const value = BigInt(raw(px)) * BigInt(raw(sz))
    const left = target - spent
    if (value < left) {
      spent += value
      size += BigInt(raw(sz))
      continue
    }
    // The last level is partly filled: the size is `size + left / px`, its price exact until here.
    const last = BigInt(raw(px))
    const [over, under] = [target * last * 10n, size * last + left]
    const px10 = (2n * over + under) / (2n * under)
    return format(Number(px10), of.pxDecimals + 1, NATIVE_DECIMALS)
  }
  return null
}

// Next funding charge here and on other exchanges: the present rates.

/** The exchanges of the venue's comparison, by their names there. */
const COMPARED_EXCHANGES = [
  { name: 'BinPerp', key: 'binance', hours: 8 },
  { name: 'HlPerp', key: 'hl', hours: 1 },
  { name: 'BybitPerp', key: 'bybit', hours: 8 },
]

/** Coins of the main dex by name. */
function predictedFundings(world: World, moment: Moment): PredictedFunding[] {
  return world.listed
    .filter(({ kind, dex }) => kind === 'perp' && dex === '')
    .toSorted((a, b) => (a.coin < b.coin ? -1 : 1))
    .map((of) => [
      of.coin,
      COMPARED_EXCHANGES.map((one) => [one.name, exchangeRate(world, moment, of, one)]),
    ])
}

function exchangeRate(
  world: World,
  moment: Moment,
  instrument: InstrumentRow,
  { key, hours }: (typeof COMPARED_EXCHANGES)[number],
) {
  const exchange = exchangesListing(world, instrument).find((one) => marketKey(one) === key)
  if (exchange === undefined) return null
  const contract = { instrument, exchange }
  const query = { symbol: '', interval: '1m', limit: 1 }
  const [now] = runToEnd(fundingRatesOf(world, moment, contract, query))
  if (!now) return null
  const { atMs, shiftMs } = moment
  const lengthMs = hours * spanMs('1h')
  return {
    fundingRate: now.close,
    nextFundingTime: (Math.floor((atMs + shiftMs) / lengthMs) + 1) * lengthMs - shiftMs,
    fundingIntervalHours: hours,
  }
}

// Builder dexes of the venue. Their operators are invented; their listings are the tape's.

/** By name. */
const perpDexsOf = perListing(({ listed, meta: { seed } }): PerpDex[] => {
  const names = new Set(listed.map(({ dex }) => dex).filter((dex) => dex !== ''))
  return [...names].sort().map((name) => {
    const address = (of: string) => `0x${randomSource(seed, `${of} of ${name}`).hex(40)}`
    const coins = listed.filter(({ dex }) => dex === name).map(({ coin }) => coin)
    return {
      name,
      fullName: name.toUpperCase(),
      deployer: address('deployer'),
      oracleUpdater: null,
      feeRecipient: address('fee recipient'),
      assetToStreamingOiCap: coins.map((coin) => [coin, OPEN_INTEREST_CAP]),
      subDeployers: [['setOracle', [address('oracle')]]],
      deployerFeeScale: '1.0',
      lastDeployerFeeScaleChangeTime: '1970-01-01T00:00:00',
      assetToFundingMultiplier: coins.map((coin) => [coin, '1.0']),
      assetToFundingInterestRate: [],
    }
  })
})

/** Dollars of open interest. */
const OPEN_INTEREST_CAP = '100000000.0'

export class AssetContextQueries implements AssetContextsFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  *perps(dex: string): Slices<PerpContext[] | null> {
    const listed = this.world.listed.filter((one) => one.kind === 'perp' && one.dex === dex)
    if (listed.length === 0 && dex !== '') return null
    const contexts: PerpContext[] = []
    for (const of of listed.toSorted((a, b) => a.asset - b.asset))
      contexts.push((yield* this.contextOf(of)) as PerpContext)
    return contexts
  }

  *spots(): Slices<SpotContext[]> {
    const listed = this.world.listed.filter(({ kind }) => kind === 'spot')
    const contexts: SpotContext[] = []
    for (const of of listed.toSorted((a, b) => a.asset - b.asset))
      contexts.push((yield* this.contextOf(of)) as SpotContext)
    return contexts
  }

  *ofCoin(coin: string): Slices<PerpContext | SpotContext | null> {
    const of = this.world.byCoin.get(coin)
    return of ? yield* this.contextOf(of) : null
  }

  /** Many channels and accounts show the contexts of one instant: each is made once. */
  private *contextOf(of: InstrumentRow): Slices<PerpContext | SpotContext> {
    const { atMs } = this.moment
    const kept = latestContexts(this.world)
    const known = kept.get(of.id)
    if (known?.atMs === atMs) return known.context
    const endMs = later(atMs, 1)
    yield* tradeHoursOf(this.world).read(of.id, later(endMs, -DAY_MS), endMs)
    yield
    const context = Object.freeze(of.kind === 'perp' ? this.perp(of) : this.spot(of))
    kept.set(of.id, { atMs, context })
    return context
  }

  dexs(): PerpDex[] {
    return perpDexsOf(this.world)
  }

  fundingHistory(coin: string, { startTimeMs = 0, endTimeMs }: TimeRange, limit: number) {
    const of = this.world.byCoin.get(coin)
    if (of?.kind !== 'perp') return null
    const { atMs } = this.moment
    const toMs = Math.min(endTimeMs ?? atMs, atMs)
    const delayMs = chargeDelayMs(this.moment)
    const span = [tapeMs(startTimeMs - delayMs), tapeMs(toMs - delayMs)] as const
    const rows = statements(this.world).charged.all(of.id, ...span, limit)
    return rows.map(
      ({ timeMs, rate, premium }): FundingRate => ({
        coin,
        fundingRate: rateText(rate),
        premium: rateText(premium),
        time: later(timeMs, delayMs),
      }),
    )
  }

  predictedFundings(): PredictedFunding[] {
    return predictedFundings(this.world, this.moment)
  }

  private perp(of: InstrumentRow): PerpContext {
    const { atMs } = this.moment
    const ask = statements(this.world)
    const rate = ask.rate.get(of.id, atMs)
    const oracle = ask.oracle.get(of.id, atMs)?.oracle
    const { prevDayPx, dayNtlVlm, markPx: marked, midPx, dayBaseVlm } = this.market(of)
    return {
      prevDayPx,
      dayNtlVlm,
      markPx: marked,
      midPx,
      funding: rateText(rate?.rate ?? ZERO),
      openInterest: szText(of, openInterestAt(this.world, of, atMs) ?? ZERO, NATIVE_DECIMALS),
      premium: rate && rateText(rate.premium),
      oraclePx: oracle === undefined ? marked : pxText(of, oracle, NATIVE_DECIMALS),
      impactPxs: bookCacheOf(this.world).look(of, atMs, (book) => impactPrices(book, of)),
      dayBaseVlm,
    }
  }

  private spot(of: InstrumentRow): SpotContext {
    const supply = `${assetOf(of.base).supply}.0`
    return {
      ...this.market(of),
      circulatingSupply: supply,
      coin: of.coin,
      totalSupply: supply,
    }
  }

  private market(of: InstrumentRow) {
    const { atMs } = this.moment
    const hours = tradeHoursOf(this.world)
    const day = hours.tally(of.id, later(atMs, 1 - DAY_MS), later(atMs, 1))
    const before = hours.pxBefore(of.id, later(atMs, 1 - DAY_MS))
    const price = markPx(this.world, of, atMs) ?? ZERO
    const { bid, ask } = bestPrices(this.world, of, atMs)
    return {
      prevDayPx: pxText(of, before ?? (day.n > 0 ? day.open : price), NATIVE_DECIMALS),
      dayNtlVlm: day.n > 0 ? withTenth(day.amountText) : '0.0',
      markPx: pxText(of, price, NATIVE_DECIMALS),
      // Half a price unit needs one more decimal, a five.
      midPx:
        bid === null || ask === null
          ? null
          : format(5 * raw(add(bid, ask)), of.pxDecimals + 1, NATIVE_DECIMALS),
      dayBaseVlm: szText(of, day.size, NATIVE_DECIMALS),
    }
  }
}

/** The context of each instrument at the instant of which it was last requested. */
const latestContexts = perWorld(
  () => new Map<number, { atMs: TapeMs; context: PerpContext | SpotContext }>(),
  null,
)

const withTenth = (text: string) => (text.includes('.') ? text : `${text}.0`)

const rateText = (rate: Rate) => format(raw(rate), RATE_DECIMALS, NATIVE_DECIMALS)

const RATES = columns({ timeMs: funding.timeMs, rate: funding.rate, premium: funding.premium })

const statements = perWorld(({ db }) => {
  const rates = 'from funding where instrument = ?'
  return {
    charged: RATES.prepare<[instrument: number, fromMs: TapeMs, toMs: TapeMs, limit: number]>(
      db,
      `${rates} and timeMs between ? and ? and charged = 1 order by timeMs limit ?`,
    ),
    rate: RATES.prepare<[instrument: number, atMs: TapeMs]>(
      db,
      `${rates} and timeMs <= ? order by timeMs desc, charged limit 1`,
    ),
    oracle: columns({ oracle: mark.oracle }).prepare<[instrument: number, atMs: TapeMs]>(
      db,
      `from mark where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1`,
    ),
  }
})
