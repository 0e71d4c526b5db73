/** A tape of some seconds, written by hand, that holds every kind of event a caster can meet. */
import type { TapeEvent, TapeInput, TapeInstrument } from '../src/world/casting/input.ts'

export const HAND_START_MS = Date.UTC(2026, 0, 15, 11, 59, 30)
export const ALICE = '0xAbcdef0000000000000000000000000000000001'
export const BOB = '0xabcdef0000000000000000000000000000000002'

const perp = (coin: string, dex: string, px: number, sz: number, max: number): TapeInstrument => ({
  coin,
  kind: 'perp',
  dex,
  base: coin.replace(/^.*:/, ''),
  quote: 'USDC',
  pxDecimals: px,
  szDecimals: sz,
  maxLeverage: max,
})

const INSTRUMENTS: TapeInstrument[] = [
  perp('BTC', '', 1, 5, 40),
  perp('xyz:TSLA', 'xyz', 3, 3, 10),
  {
    coin: '@107',
    kind: 'spot',
    dex: '',
    base: 'HYPE',
    quote: 'USDC',
    pxDecimals: 4,
    szDecimals: 2,
    maxLeverage: 1,
  },
  // Listed, but the tape says nothing of it.
  perp('GHOST', '', 4, 1, 3),
]

/** The tape; `more` is put behind it, times and numbers are given to it. */
export function handTape(more: Omit<TapeEvent, 'time' | 'seq'>[] = []): TapeInput {
  const events = numbered([...STORY, ...more] as Draft[])
  const counts: Record<string, number> = {}
  for (const { kind } of events) counts[kind] = (counts[kind] ?? 0) + 1
  return {
    digest: Bun.hash(JSON.stringify(events)).toString(16),
    header: {
      source: 'by hand',
      instruments: INSTRUMENTS,
      counts,
      startMs: HAND_START_MS,
      endMs: (events.at(-1)?.time ?? HAND_START_MS) + 1000,
    },
    async *events() {
      yield events
    },
  }
}

type Draft = Omit<TapeEvent, 'time' | 'seq'> & { afterMs?: number }

function numbered(drafts: Draft[]): TapeEvent[] {
  let time = HAND_START_MS
  return drafts.map(({ afterMs = 400, ...draft }, at) => {
    time += afterMs
    return { ...draft, time, seq: at + 1 } as TapeEvent
  })
}

function trade(coin: string, side: 'B' | 'A', px: string, sz: string, more = {}): Draft {
  return { kind: 'trade', coin, data: { side, px, sz, ...more }, afterMs: 400 } as Draft
}

/** Trades of the instant before: one taker order. */
function and(draft: Draft): Draft {
  return { ...draft, afterMs: 0 }
}

const book = {
  bids: [
    ['96410.0', '1.5', 3],
    ['96409.0', '2', 4],
  ],
  asks: [
    ['96412.0', '0.7', 2],
    ['96413.0', '3', 5],
  ],
}
const delta = { bids: [['96410.0', '0', 0]], asks: [['96412.0', '0.65', 2]] }
const rate = { rate: '0.0000125', premium: '0.0001' }

const STORY = [
  { kind: 'book', coin: 'BTC', data: book },
  { kind: 'mark', coin: 'BTC', data: { mark: '96411.0', oracle: '96420.0' } },
  { kind: 'funding', coin: 'BTC', data: rate },
  { kind: 'interest', coin: 'BTC', data: { openInterest: '30123.5' } },
  trade('BTC', 'B', '96412.0', '0.05'),
  and(trade('BTC', 'B', '96413.0', '0.2')),
  { kind: 'delta', coin: 'BTC', data: delta },
  trade('xyz:TSLA', 'A', '438.64', '12'),
  trade('@107', 'B', '25.221', '40.5'),
  trade('@107', 'A', '25.22', '1000'),
  { kind: 'bbo', coin: '@107', data: { bid: ['25.22', '100', 1], ask: null } },
  trade('BTC', 'A', '96409.0', '0.3', {
    users: [ALICE, BOB],
    tid: 77,
    hash: `0x${'ab'.repeat(32)}`,
  }),
  trade('BTC', 'B', '96413.0', '0.5', { users: [ALICE.toLowerCase(), BOB] }),
  {
    kind: 'liquidation',
    coin: 'BTC',
    data: { position: 'long', sz: '3.5', markPx: '95000.0', tids: [501, 502] },
  },
  trade('BTC', 'A', '94990.0', '1.25', { tid: 501 }),
  and(trade('BTC', 'A', '94985.0', '2.25', { tid: 502 })),
  {
    kind: 'liquidation',
    coin: 'BTC',
    data: { position: 'short', sz: '0.4', markPx: '96000.0', tids: [503] },
  },
  trade('BTC', 'B', '96010.0', '0.4', { tid: 503 }),
  // Over the full hour: funding is charged once.
  { ...trade('BTC', 'B', '95990.0', '0.01'), afterMs: 40_000 },
  { kind: 'exchange', coin: '', data: {} },
] as Draft[]
