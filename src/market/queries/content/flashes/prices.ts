/** Flashes about prices: where they are, how they moved, new highs and lows. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../clock/durations.ts'
import type { Px } from '../../../../decimal/quantity.ts'
import { pow10 } from '../../../../decimal/scaled.ts'
import type { InstrumentRow } from '../../../schema/schema.ts'
import { changeOf, moveText, phrase, priceText, spanText, usdWords } from '../bilingual-text.ts'
import { MarketView, maxBy, type PricedMarket } from '../market-view.ts'
import { type FlashText, flashFeed } from './flash-feed.ts'

export const PRICE_FEEDS = [
  flashFeed(0, 0, 30, priceNote),
  flashFeed(1, 1, 60, smallCap),
  flashFeed(2, 4, 15, newRecord),
  flashFeed(5, 23, 20, anomaly),
]

function priceNote(view: MarketView): FlashText | null {
  const seen = view.any('price note')
  if (!seen) return null
  const { of, px } = seen
  const day = view.tally(of, DAY_MS)
  const parts = {
    coin: of.base,
    price: priceText(of, px),
    move: moveText(changeOf(px, view.pxAgo(of, DAY_MS)) ?? 0),
    turnover: usdWords(day.amount),
  }
  return {
    title: phrase('{coin}现报{price}', '{coin} trades at {price}', parts),
    content: phrase(
      '行情显示，{coin}现报{price}，24小时{move}，HL上24小时成交额为{turnover}。',
      '{coin} trades at {price}, {move} over 24 hours. Turnover of 24 hours on HL is {turnover}.',
      parts,
    ),
  }
}

/** Basis points that count as large, and as anomalous. */
const LARGE = 100
const ANOMALOUS = 50

function smallCap(view: MarketView): FlashText | null {
  const byCap = view.markets.sort((a, b) => (MarketView.cap(a) < MarketView.cap(b) ? -1 : 1))
  const small = byCap.slice(0, Math.floor(byCap.length / 2))
  const found = largestMove(view, small, HOUR_MS, LARGE)
  if (!found) return null
  const parts = { ...found.parts, cap: usdWords(marketValue(found.seen)) }
  return {
    title: phrase(
      '小市值币种异动：{coin} 1小时{move}',
      'Small cap {coin} {move} in an hour',
      parts,
    ),
    content: phrase(
      '小市值币种{coin}在过去1小时内{move}，现报{price}，流通市值约{cap}。',
      'Small-cap coin {coin} is {move} over the past hour, now at {price}. Its market value is ' +
        '{cap}.',
      parts,
    ),
  }
}

const ANOMALY_MS = 30 * MINUTE_MS

function anomaly(view: MarketView): FlashText | null {
  const found = largestMove(view, view.markets, ANOMALY_MS, ANOMALOUS)
  if (!found) return null
  const parts = { ...found.parts, span: spanText(ANOMALY_MS), before: found.before }
  return {
    title: phrase('价格异动：{coin} {span}{move}', '{coin} {move} in {span}', parts),
    content: phrase(
      '监测到{coin}价格异动，过去{span}由{before}变为{price}，{move}。',
      'Unusual move: {coin} went from {before} to {price} over the past {span}, {move}.',
      parts,
    ),
  }
}

/** The one that moved most, by `least` hundredths of a percent at least. */
function largestMove(view: MarketView, list: PricedMarket[], spanMs: number, least: number) {
  const changed = ({ of, px }: PricedMarket) => changeOf(px, view.pxAgo(of, spanMs)) ?? 0
  const seen = maxBy(list, (one) => Math.abs(changed(one)))
  if (!seen || Math.abs(changed(seen)) < least) return null
  const { of, px } = seen
  const before = priceText(of, view.pxAgo(of, spanMs) ?? px)
  return {
    seen,
    before,
    parts: { coin: of.base, price: priceText(of, px), move: moveText(changed(seen)) },
  }
}

/** Market value in micro-dollars. */
const marketValue = (seen: PricedMarket): bigint =>
  (MarketView.cap(seen) * 1_000_000n) / BigInt(pow10(seen.of.pxDecimals))

/** How far back a price can be the highest or lowest; each holds the one before. */
const RECORD_SPANS = [DAY_MS, 3 * DAY_MS, 7 * DAY_MS]

function newRecord(view: MarketView): FlashText | null {
  const records = view.markets.flatMap(({ of, px }) => newExtreme(view, of, px) ?? [])
  const found = maxBy(records, ({ spanMs }) => spanMs)
  if (!found) return null
  const { of, px, isHigh } = found
  const parts = {
    coin: of.base,
    record: priceText(of, found.px),
    price: priceText(of, found.last),
    span: spanText(found.spanMs),
    side: isHigh ? { cn: '新高', en: 'high' } : { cn: '新低', en: 'low' },
    move: moveText(changeOf(px, view.pxAgo(of, DAY_MS)) ?? 0),
  }
  return {
    title: phrase('{coin}创{span}{side}', '{coin} at its {side} of {span}', parts),
    content: phrase(
      '{coin}触及{record}，创{span}{side}，现报{price}，24小时{move}。',
      '{coin} touched {record}, its {side} of {span}. It trades at {price}, {move} over 24 hours.',
      parts,
    ),
  }
}

/** Whether what has come since the feed was due last is higher, or lower, than all before. */
function newExtreme(view: MarketView, of: InstrumentRow, last: Px) {
  const { newMs } = view
  const now = view.tally(of, newMs)
  if (now.n === 0) return null
  for (const isHigh of [true, false]) {
    let spanMs = 0
    for (const wider of RECORD_SPANS) {
      const before = view.tally(of, wider - newMs, newMs)
      if (
        view.pxAgo(of, wider) === null ||
        !(isHigh ? now.high > before.high : now.low < before.low)
      )
        break
      spanMs = wider
    }
    if (spanMs > 0) return { of, last, spanMs, isHigh, px: isHigh ? now.high : now.low }
  }
  return null
}
