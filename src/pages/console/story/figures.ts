/** Figures of conditions: of the last market event, and of the market as its channels push it. */
import type { MarketEventRecord, StoryRecord } from '../../../clients/control/records.ts'
import type { Client } from '../../../clients/service/client.ts'

export type StoryCondition = NonNullable<StoryRecord['steps'][number]['until']>

/** What is known of a coin's market at a moment; shown times are those that clients see, ms. */
export interface Measurable {
  events: readonly Pick<MarketEventRecord, 'event' | 'outcome'>[]
  /** Best prices of the newest pushed book, and its time; null before the first. */
  book: { bid: number; ask: number; timeMs: number } | null
  /** Time of the newest pushed trade; null before the first. */
  tradeMs: number | null
  /** Shown time now; null while unknown. */
  nowMs: number | null
  /** Number of days with a candle; null before it is known. */
  historyDays: number | null
}

/** The figure of a condition; null while it is unknown. */
export function figureOf(
  now: Measurable,
  coin: string,
  { figure, of }: Pick<StoryCondition, 'figure' | 'of'>,
): number | null {
  const { book, nowMs, tradeMs } = now
  switch (figure) {
    case 'spreadBp':
      return book && (10_000 * (book.ask - book.bid)) / ((book.ask + book.bid) / 2)
    case 'bookAgeS':
      return book === null || nowMs === null ? null : ageS(book.timeMs, nowMs)
    case 'tradeAgeS':
      return tradeMs === null || nowMs === null ? null : ageS(tradeMs, nowMs)
    case 'historyDays':
      return now.historyDays
    default:
      return eventFigure(now.events, of === 'newcomer' ? newcomerIn(now.events) : coin, figure)
  }
}

/** Whether a figure is within the bounds of a condition. */
export const isMet = ({ above, below }: StoryCondition, value: number): boolean =>
  (above === null || value > above) && (below === null || value < below)

/** The best prices of a pushed book; null for an empty side. */
export function bestPrices(book: {
  levels: readonly (readonly { px: string }[])[]
  time: number
}): Measurable['book'] {
  const [bid, ask] = book.levels.map((side) => Number(side[0]?.px)) as [number, number]
  return Number.isNaN(bid + ask) ? null : { bid, ask, timeMs: book.time }
}

/** The number of days with a candle. */
export async function readHistoryDays(account: Client, coin: string): Promise<number> {
  const body = { type: 'candleSnapshot', req: { coin, interval: '1d', startTime: 0 } } as const
  return (await account.perpdex.info({ body }))?.length ?? 0
}

type EventFigure = Exclude<
  StoryCondition['figure'],
  'spreadBp' | 'bookAgeS' | 'tradeAgeS' | 'historyDays'
>

/** The figure of the last market event for a coin; null before it has one. */
function eventFigure(
  events: Measurable['events'],
  coin: string | null,
  figure: EventFigure,
): number | null {
  const of = events.flatMap(({ outcome }) => outcome).findLast((one) => one.coin === coin)
  if (!of) return null
  const { pxBefore, pxAfter, liquidatedUsd } = of
  if (figure === 'liquidatedUsd') return Number(liquidatedUsd.long) + Number(liquidatedUsd.short)
  if (figure !== 'changePct') return Number(of[figure])
  if (pxBefore === null || pxAfter === null) return null
  return 100 * (Number(pxAfter) / Number(pxBefore) - 1)
}

/** The coin of the last listing; null before one. */
export function newcomerIn(events: readonly Pick<MarketEventRecord, 'event'>[]): string | null {
  const listing = events.findLast(({ event }) => event.kind === 'listing')
  return typeof listing?.event.coin === 'string' ? listing.event.coin : null
}

const ageS = (timeMs: number, nowMs: number): number => Math.max(0, nowMs - timeMs) / 1000
