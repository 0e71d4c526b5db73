/** Scenarios in which the feed comes back: what the client has recorded is what there was. */
import { expect } from 'bun:test'
import { unexplained } from '../fixtures/feed-recorder.ts'
import { played, survives, truth } from '../fixtures/survival.ts'

/** Nothing lost, nothing twice, and the states that stand. */
async function isWhole(scenario: string | null, options = {}) {
  const { view, ...market } = await played(scenario, options)
  expect(view).toEqual(await truth())
  const events = [market.trades, market.fills, market.candles].flatMap((one) => one.events)
  expect(events.filter(({ type }) => type === 'gap')).toEqual([])
  return market
}

/** What was told as it happened is what the service tells of it afterwards. */
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

survives('calm', async () => {
  const { upgrades, trades } = await isWhole('calm')
  expect([upgrades.length, trades.kinds()]).toEqual([1, ['live']])
})

survives('already-subscribed', async () => {
  await isWhole('already-subscribed')
})

survives('capital-addresses', async () => {
  await isWhole('capital-addresses')
})

survives('mixed-users', async () => {
  await isWhole('mixed-users')
})

survives('legacy-shapes', async () => {
  const { client, user } = await isWhole('legacy-shapes', { settings: { checksAnswers: true } })
  const { perpdex } = client
  await perpdex.fillsOfAddress({ path: { address: user } })
  await perpdex.smartFind({ body: { period: 7 } })
  await perpdex.completedTradesByTime({ path: { address: user } })
  await perpdex.pnls({ path: { address: user } })
  await perpdex.batchMaxDrawdown({ body: { addresses: [user], days: 7 } })
  await client.coin.ticker({ query: { coin_list: 'bitcoin' } })
})

survives('repeated-fills', async () => {
  await isWhole('repeated-fills')
})

survives('flaky-sockets', async () => {
  const { upgrades, requested } = await isWhole('flaky-sockets')
  // Every half minute, each with a signature of its own.
  expect(upgrades).toHaveLength(7)
  expect(requested.some((target) => target.includes('/hl/info'))).toBe(true)
})

survives('snapshot-again', async () => {
  const { fills } = await isWhole('snapshot-again')
  expect(fills.pushes.filter(({ isSnapshot }) => isSnapshot)).toHaveLength(1)
})

survives('reused-address', async () => {
  const { trades } = await isWhole('reused-address')
  expect(trades.kinds().filter((kind) => kind === 'resumed')).toHaveLength(1)
})

survives('reconnect-storm', async () => {
  const { trades } = await isWhole('reconnect-storm')
  const waits = trades.events.flatMap((event) => (event.type === 'lost' ? [event.retryMs] : []))
  expect(waits.every((ms) => ms !== null && ms >= 125)).toBe(true)
})

survives('liquidation-cascade', async () => {
  const settings = { auditsTrades: true }
  const told = await played('liquidation-cascade', { settings })
  await agreesWithHistory(told)
  expect(told.view.trades.length).toBeGreaterThan(100)
  expect(told.trades.events.filter(({ type }) => type === 'gap')).toEqual([])
})

survives('maintenance', async () => {
  const { view, trades, upgrades } = await played('maintenance')
  const { trades: were, ...rest } = await truth()
  expect(view).toMatchObject(rest)
  expect(view.trades.length).toBeLessThan(were.length)
  expect(unexplained(were, view.trades, trades.events)).toEqual([])
  // The first, the one that is refused, and the one two minutes later.
  expect(upgrades).toHaveLength(3)
  expect((upgrades[2] ?? 0) - (upgrades[1] ?? 0)).toBeGreaterThanOrEqual(120_000)
})

survives('market-halt', async () => {
  const told = await played('market-halt', { settings: { auditsTrades: true } })
  await agreesWithHistory(told)
  expect([told.upgrades.length, told.subscriptions.fills.state]).toEqual([1, 'live'])
  // What was silent is looked after; nothing is found to be missing.
  const missing = told.trades.events.filter(
    (event) => event.type === 'gap' && event.reason.includes('are missing'),
  )
  expect(missing).toEqual([])
})

survives('broken-feed', async () => {
  const { view, trades, books, fills } = await played('broken-feed', {
    settings: { auditsTrades: true },
  })
  const { trades: were, fills: wereFills } = await truth()
  expect([view.fills.length, fills.kinds()]).toEqual([wereFills.length, ['live']])
  expect(view.trades.length).toBeLessThan(were.length)
  expect(unexplained(were, view.trades, trades.events)).toEqual([])
  const times = books.pushes.map(({ data }) => data.time)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
})

survives('slow-consumer', async () => {
  const { view, trades } = await played('slow-consumer', { settings: { auditsTrades: true } })
  const { trades: were, fills } = await truth()
  expect(view.fills).toEqual(fills)
  expect(unexplained(were, view.trades, trades.events)).toEqual([])
})
