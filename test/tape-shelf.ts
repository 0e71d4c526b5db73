import { Complaint } from '../src/complaint.ts'
import type { Draft, Header, Instrument, TapeEvent } from '../src/tape/event.ts'
import { openTape } from '../src/tape/reader.ts'
import { createTape } from '../src/tape/writer.ts'

export const BTC: Instrument = {
  coin: 'BTC',
  kind: 'perp',
  dex: '',
  base: 'BTC',
  quote: 'USDC',
  pxDecimals: 1,
  szDecimals: 5,
  maxLeverage: 40,
}

export const ETH: Instrument = { ...BTC, coin: 'ETH', base: 'ETH', szDecimals: 4, maxLeverage: 25 }

/** One event of every kind, in an order that a tape may have. */
export const EVERY_KIND: Draft[] = [
  { time: 1000, kind: 'book', coin: 'BTC', data: book('100', '101') },
  { time: 1000, kind: 'bbo', coin: 'BTC', data: { bid: ['100', '1', 1], ask: null } },
  { time: 1001, kind: 'mark', coin: 'BTC', data: { mark: '100.55', oracle: '100.5' } },
  { time: 1002, kind: 'funding', coin: 'BTC', data: { rate: '-0.0000125', premium: '0.0001' } },
  { time: 1003, kind: 'interest', coin: 'BTC', data: { openInterest: '12345.678' } },
  {
    time: 1010,
    kind: 'liquidation',
    coin: 'BTC',
    data: { position: 'long', sz: '0.5', markPx: '100.1', tids: [7] },
  },
  {
    time: 1010,
    kind: 'trade',
    coin: 'BTC',
    data: { side: 'A', px: '100', sz: '0.5', tid: 7, hash: '0xab', users: ['0x1', '0x2'] },
  },
  { time: 1011, kind: 'delta', coin: 'BTC', data: { bids: [['100', '0', 0]], asks: [] } },
  {
    time: 1012,
    kind: 'exchange',
    coin: '',
    data: {
      method: 'GET',
      url: '/a?b=ü',
      requestBody: '',
      status: 200,
      headers: { 'content-type': 'application/json' },
      responseBody: '{"a":\n1}',
    },
  },
  { time: 1013, kind: 'frame', coin: '', data: { connection: 1, direction: 'in', text: 'ping' } },
]

/** A book with two levels a side. */
export function book(bid: string, ask: string) {
  return {
    bids: [[bid, '2', 1] as const, [String(Number(bid) - 1), '3.5', 2] as const],
    asks: [[ask, '1', 1] as const, [String(Number(ask) + 1), '4', 3] as const],
  }
}

export async function write(path: string, events: Draft[], coins = [BTC]): Promise<Header> {
  const tape = await createTape(path, { source: 'test', instruments: coins })
  for (const event of events) await tape.write(event)
  return tape.finish()
}

/** All events of a tape. */
export async function read(path: string): Promise<TapeEvent[]> {
  const events: TapeEvent[] = []
  for await (const batch of (await openTape(path)).events()) events.push(...batch)
  return events
}

/** What the user is told, on one line; fails when there is no complaint. */
export async function complaint(action: () => unknown): Promise<string> {
  try {
    await action()
  } catch (error) {
    if (error instanceof Complaint && !error.message.includes('\n')) return error.message
    throw error
  }
  throw new Error('there was no complaint')
}
