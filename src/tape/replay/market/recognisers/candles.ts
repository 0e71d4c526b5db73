import { readSpan } from '../../../../contract/span.ts'
import type { UnknownRecord } from '../../../unknown-record.ts'
import { recordsIn, textIn, timeIn } from '../data-reading.ts'
import type { CandleFact, Recogniser } from '../market-fact.ts'

/** Candles, each of which names its coin and interval. Months are not of one length: none. */
export const candles: Recogniser = {
  sources: ['channel/candle', 'info/candleSnapshot'],
  facts: ({ data, numbers }) =>
    recordsIn(Array.isArray(data) || data === null ? data : [data]).flatMap((row): CandleFact[] => {
      const coin = textIn(row.s, 'a coin')
      const lengthMs = readSpan(textIn(row.i, 'an interval'))
      if (lengthMs === null) return []
      const { t, o, h, l, c, v } = row
      const candle = { startMs: t, open: o, high: h, low: l, close: c, volume: v }
      return [candleOf(coin, lengthMs, candle, numbers)]
    }),
}

/** Candles of the coin and the interval that were asked for. */
export const takerCandles: Recogniser = {
  sources: ['perpdex.klinesWithTakerVol'],
  facts({ data, asked, numbers }) {
    const coin = textIn(asked.coin, 'a coin')
    const lengthMs = readSpan(textIn(asked.interval, 'an interval'))
    if (lengthMs === null) return []
    return recordsIn(data).map(({ openTime, size, ...row }) =>
      candleOf(coin, lengthMs, { ...row, startMs: openTime, volume: size }, numbers),
    )
  },
}

function candleOf(
  coin: string,
  lengthMs: number,
  { startMs, open, high, low, close, volume }: UnknownRecord,
  numbers: Parameters<Recogniser['facts']>[0]['numbers'],
): CandleFact {
  return {
    kind: 'candle',
    coin,
    lengthMs,
    startMs: timeIn(startMs),
    open: numbers.px(coin, open),
    high: numbers.px(coin, high),
    low: numbers.px(coin, low),
    close: numbers.px(coin, close),
    volume: numbers.decimal(volume),
  }
}
