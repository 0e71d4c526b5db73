/** What stands in every market of the venue (shapes 2.13 and 2.19). */

import type { TimeSpan } from '../../../contract/facts/users.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { PerpContext, PerpDex, SpotContext } from '../../../contract/records/asset-context.ts'
import type { FundingRate, PredictedFunding } from '../../../contract/records/funding.ts'
import { format } from '../../../decimal/scaled.ts'
import { type InstrumentRow, pxText, RATE_DECIMALS, szText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { assetOf } from '../assets.ts'
import { bestPrices, shelfOf } from '../books.ts'
import { chargeDelayMs } from '../charges.ts'
import { interestAt } from '../derivatives/interest.ts'
import { perWorld } from '../per-world.ts'
import { markPx } from '../purse.ts'
import { tradeHoursOf } from '../trade-hours.ts'
import { NATIVE } from '../wording.ts'
import { dexsOf } from './dexs.ts'
import { impactPrices } from './impact.ts'
import { predictedFundings } from './predictions.ts'

type Asked = Facts['contexts']

const DAY_MS = 86_400_000

export class Contexts implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  perps(dex: string): PerpContext[] | null {
    const listed = this.world.instruments.filter((one) => one.kind === 'perp' && one.dex === dex)
    if (listed.length === 0 && dex !== '') return null
    return listed.toSorted((a, b) => a.asset - b.asset).map((of) => this.perp(of))
  }

  spots(): SpotContext[] {
    return this.world.instruments
      .filter(({ kind }) => kind === 'spot')
      .toSorted((a, b) => a.asset - b.asset)
      .map((of) => {
        const supply = `${assetOf(of.base).supply}.0`
        return {
          ...this.market(of),
          circulatingSupply: supply,
          coin: of.coin,
          totalSupply: supply,
        }
      })
  }

  dexs(): PerpDex[] {
    return dexsOf(this.world)
  }

  fundingHistory(coin: string, { startTimeMs = 0, endTimeMs }: TimeSpan, limit: number) {
    const of = this.world.byCoin.get(coin)
    if (of?.kind !== 'perp') return null
    const { atMs } = this.moment
    const toMs = Math.min(endTimeMs ?? atMs, atMs)
    const delayMs = chargeDelayMs(this.moment)
    const span = [startTimeMs - delayMs, toMs - delayMs]
    const rows = statements(this.world).charged.values(of.id, ...span, limit)
    return (rows as RateValues[]).map(
      ([time, rate, premium]): FundingRate => ({
        coin,
        fundingRate: format(rate, RATE_DECIMALS, NATIVE),
        premium: format(premium, RATE_DECIMALS, NATIVE),
        time: time + delayMs,
      }),
    )
  }

  predictedFundings(): PredictedFunding[] {
    return predictedFundings(this.world, this.moment)
  }

  private perp(of: InstrumentRow): PerpContext {
    const { atMs } = this.moment
    const ask = statements(this.world)
    const [, rate, premium] = (ask.rate.values(of.id, atMs)[0] ?? []) as Partial<RateValues>
    const oracle = ask.oracle.values(of.id, atMs)[0] as [number] | undefined
    const { prevDayPx, dayNtlVlm, markPx: mark, midPx, dayBaseVlm } = this.market(of)
    return {
      prevDayPx,
      dayNtlVlm,
      markPx: mark,
      midPx,
      funding: format(rate ?? 0, RATE_DECIMALS, NATIVE),
      openInterest: szText(of, interestAt(this.world, of, atMs) ?? 0, NATIVE),
      premium: premium === undefined ? null : format(premium, RATE_DECIMALS, NATIVE),
      oraclePx: oracle ? pxText(of, oracle[0], NATIVE) : mark,
      impactPxs: impactPrices(shelfOf(this.world).at(of, atMs), of),
      dayBaseVlm,
    }
  }

  private market(of: InstrumentRow) {
    const { atMs } = this.moment
    const hours = tradeHoursOf(this.world)
    const day = hours.tally(of.id, atMs - DAY_MS + 1, atMs + 1)
    const before = hours.lastBefore(of.id, atMs - DAY_MS + 1)?.px
    const mark = markPx(this.world, of, atMs) ?? 0
    const { bid, ask } = bestPrices(this.world, of, atMs)
    return {
      prevDayPx: pxText(of, before ?? (day.n > 0 ? day.open : mark), NATIVE),
      dayNtlVlm: day.n > 0 ? withTenth(day.amountText) : '0.0',
      markPx: pxText(of, mark, NATIVE),
      // Half a price unit needs one more decimal, in which it is a five.
      midPx:
        bid === null || ask === null ? null : format((bid + ask) * 5, of.pxDecimals + 1, NATIVE),
      dayBaseVlm: szText(of, day.size, NATIVE),
    }
  }
}

const withTenth = (text: string) => (text.includes('.') ? text : `${text}.0`)

type RateValues = [timeMs: number, rate: number, premium: number]

const statements = perWorld(({ db }) => {
  const rates = 'select timeMs, rate, premium from funding where instrument = ?'
  return {
    charged: db.prepare(
      `${rates} and timeMs between ? and ? and charged = 1 order by timeMs limit ?`,
    ),
    rate: db.prepare(`${rates} and timeMs <= ? order by timeMs desc, charged limit 1`),
    oracle: db.prepare(
      `select oracle from mark where instrument = ? and timeMs <= ?
       order by timeMs desc, id desc limit 1`,
    ),
  }
})
