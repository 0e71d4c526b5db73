import {
  type FundingIndex,
  type Px,
  type Rate,
  type Sz,
  sz as size,
  ZERO,
} from '../../../decimal/quantity.ts'
import { MarketState } from '../../casting/market/market-state.ts'
import type { MarketSurvey } from '../../casting/survey/tape-survey.ts'
import type { Database } from '../../database.ts'
import { unpackBars } from '../../schema/bar-blocks.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { Listing } from '../listed-coins.ts'
import { recentCloses } from './recent-closes.ts'

/** The instruments as the rows know them at an instant, in the order of their ids. */
export function knownMarkets(
  db: Database,
  atMs: number,
  surveys: readonly MarketSurvey[],
  listings: readonly Listing[],
): MarketState[] {
  const ask = statements(db)
  const closes = recentCloses(db, atMs)
  return ask.instruments.all().map((row) => {
    const market = new MarketState(row, surveys[row.id] as MarketSurvey)
    const isToCome = listings.some(({ event, fromMs }) => event.coin === row.coin && fromMs > atMs)
    market.px = isToCome ? ZERO : (ask.px.get(row.id, atMs)?.px ?? market.px)
    const mark = ask.mark.get(row.id, atMs)
    market.oracle = mark?.oracle ?? market.px
    market.mark = market.isPerp ? (mark?.mark ?? market.px) : null
    const funding = ask.funding.get(row.id, atMs)
    if (funding) {
      market.rate = funding.rate
      market.premium = funding.premium
      market.fundingIndex = funding.fundingIndex
    }
    market.crowdLong = ask.crowd.get(row.id, atMs)?.crowd ?? crowdOfBars(ask.bars.get(row.id))
    market.hasTapeMarks = market.isPerp
    for (const close of closes(row.id)) market.memory.add(close)
    return market
  })
}

/** What the crowd was long when the bars ended. */
function crowdOfBars(block: { minutes: Uint8Array } | null): Sz {
  return size(block ? (unpackBars(block.minutes).interest.at(-1) ?? 0) : 0)
}

type At = [instrument: number, atMs: number]

function statements(db: Database) {
  const last = 'where instrument = ? and timeMs <= ? order by timeMs desc'
  return {
    instruments: db.query<InstrumentRow, []>('select * from instrument order by id'),
    px: db.query<{ px: Px }, At>(`select px from trade ${last}, id desc limit 1`),
    crowd: db.query<{ crowd: Sz }, At>(`select crowd from interest ${last}, id desc limit 1`),
    bars: db.query<{ minutes: Uint8Array }, [instrument: number]>(
      'select minutes from bars where instrument = ? order by startMs desc limit 1',
    ),
    mark: db.query<{ mark: Px; oracle: Px }, At>(
      `select mark, oracle from mark ${last}, id desc limit 1`,
    ),
    funding: db.query<{ rate: Rate; premium: Rate; fundingIndex: FundingIndex }, At>(
      `select rate, premium, fundingIndex from funding ${last}, charged desc limit 1`,
    ),
  }
}
