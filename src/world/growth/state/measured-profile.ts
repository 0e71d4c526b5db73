import type { Database } from 'bun:sqlite'
import { raw } from '../../../decimal/quantity.ts'
import { pow10 } from '../../../decimal/scaled.ts'
import type { InstrumentProfile } from '../../../market/synth/instrument-profile.ts'
import { traitsOf } from '../../casting/history/market-traits.ts'
import type { MarketSurvey } from '../../casting/survey/tape-survey.ts'
import type { InstrumentRow } from '../../schema.ts'
import { knownBook, wholeLevels } from './known-books.ts'
import { surveyFromMs } from './trade-survey.ts'

/** How the market of an instrument is made from an instant on; null where it never had a price. */
export function measuredProfile(
  db: Database,
  row: InstrumentRow,
  survey: MarketSurvey,
  atMs: number,
): InstrumentProfile | null {
  const last = db
    .query<{ px: number }, [number, number]>(
      'select px from trade where instrument = ? and timeMs <= ? order by timeMs desc limit 1',
    )
    .get(row.id, atMs)
  const px = last?.px ?? (row.firstPx === null ? 0 : raw(row.firstPx))
  if (px === 0) return null
  const book = knownBook(db, row, atMs)
  const [bids, asks] = [wholeLevels(row, book.bids), wholeLevels(row, book.asks)]
  const [startPx, unit] = [px / pow10(row.pxDecimals), pow10(row.szDecimals)]
  const traits = traitsOf(row)
  const volatility = (traits.dailyVolatility / Math.sqrt(86_400)) * 1e4
  const spanMs = atMs - surveyFromMs(db, atMs)
  const rows = db
    .query<{ n: number }, [number, number, number]>(
      'select count(*) as n from book where instrument = ? and timeMs > ? and timeMs <= ?',
    )
    .get(row.id, atMs - spanMs, atMs) as { n: number }
  const trades = survey.usdPerSecond / survey.meanTradeUsd
  const interest = survey.interest === null ? 0 : raw(survey.interest)
  const middle = [...bids, ...asks].map(({ lots }) => (lots / unit) * startPx).sort((a, b) => a - b)
  const depth = (bids[0]?.px ?? px) - (bids.at(-1)?.px ?? 0.95 * px)
  return {
    coin: row.coin,
    kind: row.kind,
    pxDecimals: row.pxDecimals,
    szDecimals: row.szDecimals,
    startPx,
    beta: Math.min(1.7, (volatility * traits.marketShare) / 0.6),
    ownBp: volatility * Math.sqrt(1 - traits.marketShare ** 2),
    spreadTicks: 1,
    gapTicks: 1.1,
    levelUsd: Math.max(500, middle[Math.floor(middle.length / 2)] ?? 20_000),
    levels: Math.max(20, Math.min(690, Math.max(bids.length, asks.length))),
    extent: Math.min(0.1, Math.max(0.005, depth / px)),
    ordersPerS: Math.max(0.02, trades * 0.8),
    orderUsd: survey.tradeUsd / 1e6,
    refreshMs: Math.max(200, Math.min(3000, spanMs / Math.max(1, rows.n))),
    interestUsd: (interest / unit) * startPx,
    premium: survey.premium === null ? 0 : raw(survey.premium) / 1e10,
    liquidations: row.kind === 'perp' ? 2 : 0,
  }
}
