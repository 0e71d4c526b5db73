/** Fetches missed elements, by operations with history. */
import { HISTORY_CALLS } from '../contract/history-calls.ts'
import type { CallOptions, CallParameters, OperationCall } from '../requests/request.ts'
import type { Element } from './element-form.ts'

/** Calls an operation; rejects when it is refused. */
export type Ask = (
  operation: OperationCall,
  parameters: CallParameters,
  options?: CallOptions,
) => Promise<unknown>

export interface Backfill {
  /** In the form of the channel's pushes, oldest first. */
  elements: readonly Element[]
  /** Whether these are all since; with `overlap`, only if a known element is among them. */
  extent: 'whole' | 'overlap'
}

type Source = (ask: Ask, fields: Fields, fromMs: number) => Promise<Backfill>

type Fields = Record<string, unknown>

/** Sources by channel; other channels have no operation with the same data. */
export const BACKFILLS: Readonly<Record<string, Source>> = {
  trades: async (ask, { coin }) => {
    const trades = (await info(ask, { type: 'recentTrades', coin })) as Element[] | null
    return { elements: [...(trades ?? [])].reverse(), extent: 'overlap' }
  },
  userFills: async (ask, { user, aggregateByTime }, fromMs) =>
    fillsSince(ask, { user, aggregateByTime }, fromMs),
  addressFills: async (ask, { address }, fromMs) => {
    const { elements, extent } = await fillsSince(ask, { user: address }, fromMs)
    const pushed = elements.map(({ cloid: _, liquidation: __, ...fill }) => ({ address, ...fill }))
    return { elements: pushed, extent }
  },
  userNonFundingLedgerUpdates: async (ask, { user }, fromMs) => {
    const type = 'userNonFundingLedgerUpdates'
    const rows = (await info(ask, { type, user, startTime: fromMs })) as Element[]
    return { elements: rows, extent: rows.length < PAGE_MAX ? 'whole' : 'overlap' }
  },
  candle: async (ask, { coin, interval }, fromMs) => {
    const query = { startTime: fromMs, limit: PAGE_MAX }
    const rows = (await ask(HISTORY_CALLS.klinesWithTakerVol, {
      path: { coin, interval },
      query,
    })) as Element[]
    return { elements: rows.map((row) => candleOf(row, { coin, interval })), extent: 'whole' }
  },
}

const PAGE_MAX = 2000

const info = (ask: Ask, body: object) => ask(HISTORY_CALLS.info, { body })

/** Page by page: the next one begins with the last millisecond of the one before. */
async function fillsSince(ask: Ask, of: Fields, fromMs: number): Promise<Backfill> {
  const elements: Element[] = []
  let startTime = fromMs
  for (;;) {
    const type = 'userFillsByTime'
    const page = (await info(ask, { type, ...of, startTime })) as Element[]
    elements.push(...page)
    const lastMs = page.at(-1)?.time
    if (page.length < PAGE_MAX) return { elements, extent: 'whole' }
    if (lastMs === startTime) return { elements, extent: 'overlap' }
    startTime = lastMs
  }
}

/** The candle of the socket, from the row of the operation. */
function candleOf(row: Element, { coin, interval }: Fields): Element {
  const { openTime, tc, size, amount, tcBuyer, sizeBuyer, amountBuyer, open, high, low } = row
  return {
    t: openTime,
    T: openTime + lengthMs(String(interval)) - 1,
    s: coin,
    i: interval,
    o: open,
    c: row.close,
    h: high,
    l: low,
    v: size,
    n: tc,
    a: amount,
    nb: tcBuyer,
    vb: sizeBuyer,
    ab: amountBuyer,
  }
}

const lengthMs = (interval: string) =>
  Number.parseInt(interval, 10) * (UNITS_MS[interval.slice(-1)] ?? 0)

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }
