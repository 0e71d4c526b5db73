/** Scenarios with actual or apparent losses, as the client reports them. */
import { expect } from 'bun:test'
import { PushQueue } from '../../src/clients/service/streams/subscription.ts'
import { clientMarket, recorded } from '../fixtures/client-market.ts'
import { feedRecorder, library, recordedView, unexplained } from '../fixtures/feed-recorder.ts'
import { PLAYED_MS, played, survives, truth } from '../fixtures/survival.ts'

/** Emitted elements are those that the service returns afterwards. */
async function agreesWithHistory({ view, user, client }: Awaited<ReturnType<typeof played>>) {
  const startTime = view.trades[0]?.time ?? 0
  const body = { type: 'userFillsByTime', user, startTime } as const
  const were = await client.perpdex.info({ body })
  // A page of it, which may end in the middle of an instant.
  const endTime = were.at(-1)?.time ?? 0
  const keys = (fills: readonly { tid: number; side: string; time: number }[]) =>
    fills
      .filter(({ time }) => time >= startTime && time < endTime)
      .map(({ tid, side }) => `${tid}${side}`)
  expect(keys(view.fills).toSorted()).toEqual(keys(were).toSorted())
  const tids = view.trades.map(({ tid }) => tid)
  expect(new Set(tids).size).toBe(tids.length)
}

survives(
  'liquidation-cascade',
  () => played('liquidation-cascade', { settings: { auditsTrades: true } }),
  {
    'there are hundreds of': async (scheduled) => {
      await agreesWithHistory(scheduled)
      expect(scheduled.view.trades.length).toBeGreaterThan(100)
      expect(scheduled.trades.events.filter(({ type }) => type === 'gap')).toEqual([])
      const prices = scheduled.view.trades.map(({ px }) => Number(px))
      expect(Math.min(...prices)).toBeLessThan(0.97 * Math.max(...prices))
      const lows = scheduled.candles.pushes.map(({ data }) => Number(data.l))
      expect(Math.min(...lows)).toBe(Math.min(...prices))
    },
    'no queue may grow': async ({ trades }) => {
      // As many as a long cascade has, without a reader.
      const queue = new PushQueue(() => {})
      const dropped: string[] = []
      for (let count = 0; count < 30_000; count++) {
        const push = trades.pushes[count % trades.pushes.length]
        if (push) dropped.push(queue.put(push) ?? '')
      }
      const scheduled = dropped.filter((one) => one !== '')
      expect(scheduled[0]).toContain('10000 pushes wait to be read: half were dropped')
      // The waiting pushes were not dropped, and the next one is awaited.
      let [waiting, isWaiting] = [0, true]
      while (isWaiting) {
        const next = queue.next()
        isWaiting = (await Promise.race([next, Promise.resolve(null)])) !== null
        if (isWaiting) waiting++
      }
      expect([waiting > 5_000, waiting <= 10_000]).toEqual([true, true])
    },
  },
)

survives('maintenance', () => played('maintenance'), {
  'sockets close with 1012': async ({ trades }) => {
    expect(trades.events.find(({ type }) => type === 'lost')).toMatchObject({ code: 1012 })
    const away = await clientMarket({ scenarios: [library('maintenance')] })
    await away.advance(11_000)
    const refused = await away.client.perpdex.tickers().catch((error) => error)
    expect(refused).toMatchObject({ status: 503, kind: 'unavailable', retryAfterS: 120 })
  },
  'wait do not retry': async ({ view, trades, upgrades }) => {
    const { trades: were, ...rest } = await truth()
    expect(view).toMatchObject(rest)
    expect(view.trades.length).toBeLessThan(were.length)
    expect(unexplained(were, view.trades, trades.events)).toEqual([])
    // The first, the refused one, and the one two minutes later.
    expect(upgrades).toHaveLength(3)
    expect((upgrades[2] ?? 0) - (upgrades[1] ?? 0)).toBeGreaterThanOrEqual(120_000)
  },
})

/** The same with a coin that is not halted. */
async function haltPlayed() {
  const market = await feedRecorder('market-halt', { settings: { auditsTrades: true } })
  const other = recorded<{ coin: string }[]>()
  market.client.subscribe('trades', { coin: 'ETH' }, other.listener, other)
  await market.advance(PLAYED_MS)
  return { ...market, other, view: recordedView(market) }
}

survives('market-halt', haltPlayed, {
  'a coin without trades': async (scheduled) => {
    await agreesWithHistory(scheduled)
    expect([scheduled.upgrades.length, scheduled.subscriptions.fills.state]).toEqual([1, 'live'])
    expect(scheduled.books.kinds()).toContain('silent')
    expect(scheduled.other.kinds().every((kind) => kind === 'live')).toBe(true)
    // A silent stream is checked; nothing is found to be missing.
    const missing = scheduled.trades.events.filter(
      (event) => event.type === 'gap' && event.reason.includes('are missing'),
    )
    expect(missing).toEqual([])
  },
})

survives('broken-feed', () => played('broken-feed', { settings: { auditsTrades: true } }), {
  'the feed has gaps': async ({ view, trades }) => {
    const { trades: were } = await truth()
    expect(view.trades.length).toBeLessThan(were.length)
    // A minute is compared with its candle once it has ended.
    const endMs = were.at(-1)?.time ?? 0
    const ended = were.filter(({ time }) => time < endMs - (endMs % 60_000))
    expect(ended.length).toBeGreaterThan(100)
    expect(unexplained(ended, view.trades, trades.events)).toEqual([])
  },
  'keep the newest state': async (scheduled) => {
    const { view, books, fills, requested } = scheduled
    const { fills: wereFills, book } = await truth()
    expect([view.fills.length, fills.kinds(), view.book]).toEqual([
      wereFills.length,
      ['live'],
      book,
    ])
    const times = books.pushes.map(({ data }) => data.time)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(requested.length).toBeGreaterThan(0)
  },
})

survives('slow-consumer', () => played('slow-consumer', { settings: { auditsTrades: true } }), {
  'frames queue at the': async ({ view, trades }) => {
    const { trades: were, fills } = await truth()
    expect(view.fills).toEqual(fills)
    expect(view.trades.length).toBeLessThan(were.length)
    expect(trades.kinds()).toContain('gap')
    expect(unexplained(were, view.trades, trades.events)).toEqual([])
  },
})
