/** Scenarios after which the feed returns: the client has recorded everything. */
import { expect } from 'bun:test'
import { parseScenario } from '../../src/sandbox/scenario/scenario-parser.ts'
import { clientMarket, recorded } from '../fixtures/client-market.ts'
import { library } from '../fixtures/feed-recorder.ts'
import { calmlyPlayed, played, survives, truth } from '../fixtures/survival.ts'

/** Nothing lost, nothing twice, and the present states. */
async function isWhole(scenario: string | null, options = {}) {
  const { view, ...market } = await played(scenario, options)
  expect(view).toEqual(await truth())
  const events = [market.trades, market.fills, market.candles].flatMap((one) => one.events)
  expect(events.filter(({ type }) => type === 'gap')).toEqual([])
  return { ...market, view }
}

survives('calm', () => isWhole('calm'), {
  nothing: ({ upgrades, trades }) => {
    expect([upgrades.length, trades.kinds()]).toEqual([1, ['live']])
  },
  'this is how a': async ({ requested, addresses }) => {
    const calm = await calmlyPlayed()
    expect([requested.length, addresses.length]).toEqual([
      calm.requested.length,
      calm.addresses.length,
    ])
  },
})

survives('already-subscribed', () => isWhole('already-subscribed'), {
  'a subscription can be': async ({ acknowledged, subscriptions }) => {
    expect(acknowledged.length).toBeLessThan(Object.keys(subscriptions).length)
    for (const { state } of Object.values(subscriptions)) expect(state).toBe('live')
    const silent = parseScenario({
      title: 'Best prices are silent',
      rules: [{ on: { channel: 'bbo' }, do: 'silence' }],
    })
    const scenarios = [library('already-subscribed'), silent]
    const quiet = await clientMarket({ scenarios })
    const requested = ['BTC', 'ETH'].map((coin) => quiet.client.subscribe('bbo', { coin }))
    await quiet.advance(15_000)
    for (const one of requested) expect(one.state).toBe('live')
    expect(quiet.acknowledged.map((text) => JSON.parse(text).data.status)).toEqual([
      'subscribed',
      'alreadySubscribed',
    ])
  },
})

survives('capital-addresses', () => isWhole('capital-addresses'), {
  'compare addresses without regard': ({ fills, user }) => {
    const scheduled = fills.pushes[0]?.data.user ?? ''
    expect([scheduled === user, scheduled.toLowerCase()]).toEqual([false, user])
  },
})

survives('mixed-users', () => isWhole('mixed-users'), {
  'filter by user the': async () => {
    const { client, cast, advance, upgrades } = await clientMarket({
      scenarios: [library('mixed-users')],
    })
    const users = [...new Set(cast().openPositions.map(({ address }) => address))].slice(0, 3)
    const followed = users.map((user) => {
      const one = recorded<{ user: string }>()
      client.subscribe('clearinghouseState', { user }, one.listener, one)
      return one
    })
    await advance(20_000)
    const scheduled = followed.map(({ pushes }) => [
      ...new Set(pushes.map(({ data }) => data.user)),
    ])
    expect(scheduled).toEqual(users.map((user) => [user]))
    // These pushes do not name their user: each user has a connection.
    expect(upgrades).toHaveLength(users.length)
    for (const { pushes } of followed) expect(pushes.length).toBeGreaterThan(1)
  },
})

survives('legacy-shapes', () => isWhole('legacy-shapes', { settings: { checksAnswers: true } }), {
  'forms that differ from': async ({ client, user }) => {
    const { perpdex } = client
    await perpdex.fillsOfAddress({ path: { address: user } })
    await perpdex.smartFind({ body: { period: 7 } })
    await perpdex.completedTradesByTime({ path: { address: user } })
    await perpdex.pnls({ path: { address: user } })
    await perpdex.batchMaxDrawdown({ body: { addresses: [user], days: 7 } })
    await client.coin.ticker({ query: { coin_list: 'bitcoin' } })
  },
})

/** Of an odd number of pushes the last one waits for the next, to be swapped. */
async function isWholeButLast(scenario: string) {
  const { view, ...market } = await played(scenario)
  const [were, { trades, fills }] = [await truth(), await calmlyPlayed()]
  const scheduled = {
    trades: were.trades.slice(0, view.trades.length),
    fills: were.fills.slice(0, view.fills.length),
  }
  expect(view).toEqual({ ...were, ...scheduled })
  const missing = (of: 'trades' | 'fills') => were[of].length - view[of].length
  expect(missing('trades')).toBeLessThanOrEqual(trades.pushes.at(-1)?.data.length ?? 0)
  expect(missing('fills')).toBeLessThanOrEqual(fills.pushes.at(-1)?.data.fills.length ?? 0)
  return { ...market, view }
}

survives('repeated-fills', () => isWholeButLast('repeated-fills'), {
  'recognise a repeated fill': ({ fills, view }) => {
    const scheduled = fills.pushes.flatMap(({ data }) => data.fills)
    const keys = scheduled.map(({ tid, side }) => `${tid}${side}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(new Set(scheduled.map(({ oid }) => oid)).size).toBeLessThan(keys.length)
    // Swapped fills of one coin do not follow from its position; those of two coins may be swapped.
    const startMs = view.trades[0]?.time ?? 0
    const news = scheduled.filter(({ time, coin }) => time >= startMs && !/[@/]/.test(coin))
    for (const ofCoin of Map.groupBy(news, ({ coin }) => coin).values()) {
      const times = ofCoin.map(({ time }) => time)
      expect(times).toEqual(times.toSorted((one, other) => one - other))
    }
  },
})

survives('flaky-sockets', () => isWhole('flaky-sockets'), {
  'reconnect with a new': ({ upgrades, addresses, requested, subscriptions, fills }) => {
    // Every half minute, each with a new signature.
    expect([upgrades.length, new Set(addresses).size]).toEqual([7, 7])
    for (const { state } of Object.values(subscriptions)) expect(state).toBe('live')
    expect(fills.pushes.filter(({ isSnapshot }) => isSnapshot)).toHaveLength(1)
    expect(requested.some((target) => target.includes('/hl/info'))).toBe(true)
  },
})

survives('snapshot-again', () => isWhole('snapshot-again'), {
  'a normal close needs': ({ fills, trades, upgrades }) => {
    expect(fills.pushes.filter(({ isSnapshot }) => isSnapshot)).toHaveLength(1)
    expect(upgrades.length).toBeGreaterThan(2)
    const codes = trades.events.flatMap((event) => (event.type === 'lost' ? [event.code] : []))
    expect(new Set(codes)).toEqual(new Set([1000]))
  },
})

survives('reused-address', () => isWhole('reused-address'), {
  'sign the address anew': ({ trades, addresses }) => {
    expect(trades.kinds().filter((kind) => kind === 'resumed')).toHaveLength(1)
    expect([addresses.length > 1, new Set(addresses).size]).toEqual([true, addresses.length])
  },
})

survives('reconnect-storm', () => isWhole('reconnect-storm'), {
  'wait longer before each': ({ trades }) => {
    const waits = trades.events.flatMap((event) => (event.type === 'lost' ? [event.retryMs] : []))
    expect(waits.length).toBeGreaterThan(1)
    for (const [at, waitMs] of waits.entries()) {
      const fullMs = 250 * 2 ** at
      expect([waitMs !== null && waitMs >= fullMs / 2, (waitMs ?? 0) < fullMs]).toEqual([
        true,
        true,
      ])
    }
    expect(new Set(waits.map((waitMs, at) => (waitMs ?? 0) / 2 ** at)).size).toBe(waits.length)
  },
})
