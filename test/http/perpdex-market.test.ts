/** Market-wide operations of the perpetual venue for clients: forms, limits, spellings. */
import { expect, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const PREFIX = '/api/upgrade/v2'
const NAMES = [
  ...['accumulatedTakerDelta', 'activeOrderStats', 'fillsOfBuilder', 'fillsOfTwap'],
  ...['klinesWithTakerVol', 'openInterestHistory', 'openInterestSummary', 'openInterestTopCoins'],
  ...['orderbookSummaries', 'topOpenOrders', 'whaleDirections', 'whaleEvents'],
  ...['whaleLongRatios', 'whalePositions'],
].map((name) => `perpdex.${name}`)
const MINE = OPERATIONS.filter(({ id }) => NAMES.includes(id))

async function market(laterMs = 15 * 60_000) {
  const { registry, sandbox, cast } = await recordedRegistry()
  await sandbox.clock.advance(laterMs)
  const { request } = memoryTransport(registry)
  const get = (path: string, query: Record<string, string> = {}) => {
    const text = new URLSearchParams(query).toString()
    const { status, body } = request('GET', `${PREFIX}/hl${path}?${text}&${signed('demo', -1)}`)
    return { status, ...JSON.parse(body) }
  }
  const { twapIds, builders } = cast() as unknown as { twapIds: number[]; builders: string[] }
  const fills = (builder: string) =>
    get(`/fills/builder/${builder}/latest`, { limit: '2000' }).data.length
  const [builder = ''] = builders.toSorted((a, b) => fills(b) - fills(a))
  const { atMs, shiftMs } = sandbox.position()
  return { get, twapId: String(twapIds[0]), builder, shownMs: atMs + shiftMs }
}

const ready = market()

test('answers have exactly the declared form, and shown times', async () => {
  const { get, twapId, builder, shownMs } = await ready
  expect(MINE.length).toBe(NAMES.length)
  for (const { id, path, data, examples } of MINE) {
    const check = TypeCompiler.Compile(data)
    for (const { path: given, query } of examples) {
      const values: Record<string, string> = { ...given }
      if (values.twapid) values.twapid = twapId
      if (values.builder) values.builder = builder
      const filled = path.replace(/:(\w+)/g, (_, name) => values[name] ?? '').slice(3)
      const answer = get(filled, query)
      expect([id, answer.status, answer.code]).toEqual([id, 200, '0'])
      expect([id, [...check.Errors(answer.data)].slice(0, 2)]).toEqual([id, []])
      if (Array.isArray(answer.data)) expect([id, answer.data.length > 0]).toEqual([id, true])
      for (const [, digits] of JSON.stringify(answer).matchAll(/ime":(\d+)/g)) {
        const timeMs = Number(digits) * (id.endsWith('orderbookSummaries') ? 1000 : 1)
        expect(timeMs).toBeLessThanOrEqual(shownMs)
        expect(timeMs).toBeGreaterThan(shownMs - 31 * 86_400_000)
      }
    }
  }
})

test('limits have their defaults, and more than the maximum is cut silently', async () => {
  const { get, builder } = await ready
  const { longCount, shortCount } = get('/whales/directions').data
  const limits: [path: string, name: string, usual: number, most: number][] = [
    ['/klines-with-taker-vol/BTC/1s', 'limit', 100, 2000],
    ['/orders/top-open-orders', 'limit', 10, 100],
    [`/fills/builder/${builder}/latest`, 'limit', 1000, 2000],
    ['/whales/latest-events', 'limit', 10, 100],
    ['/whales/history-long-ratio', 'limit', 50, 200],
    // There are fewer than the maximum.
    ['/whales/open-positions', 'take', 10, Math.min(200, longCount + shortCount)],
    ['/open-interest/top-coins', 'limit', 9, 9],
  ]
  for (const [path, name, usual, most] of limits) {
    const count = (query: Record<string, string>) => get(path, query).data.length
    expect([path, count({}), count({ [name]: '9999999' })]).toEqual([path, usual, most])
    expect(count({ [name]: '3' })).toBe(3)
    expect(get(path, { [name]: '0' }).status).toBe(400)
  }
})

test('other spellings of clients are equivalent', async () => {
  const { get } = await ready
  // What selects a part of the answer without it.
  const third = String(get('/orders/top-open-orders').data[2].val)
  const same: [path: string, one: string, other: string, value: string][] = [
    ['/orders/top-open-orders', 'min_val', 'minVal', third],
    ['/orders/active-stats', 'whale_threshold', 'whaleThreshold', '20000'],
    ['/whales/open-positions', 'npnlSide', 'npnl-side', 'loss'],
    ['/whales/open-positions', 'frSide', 'fr-side', 'profit'],
    ['/whales/open-positions', 'topBy', 'top-by', 'loss'],
    ['/whales/open-positions', 'take', 'limit', '2'],
    ['/whales/latest-events', 'limit', 'take', '2'],
  ]
  for (const [path, one, other, value] of same) {
    const answer = get(path, { [one]: value })
    expect(answer.status).toBe(200)
    expect(get(path, { [other]: value })).toEqual(answer)
    expect(get(path, {}).data).not.toEqual(answer.data)
  }
})

test('spans outside of the documented ones are refused by name', async () => {
  const { get } = await ready
  const spans: [path: string, least: string, most: string, outside: string[]][] = [
    ['/open-interest/top-coins', '15m', '180d', ['14m', '181d']],
    ['/open-interest/history/BTC', '15m', '180d', ['14m', '26w']],
    ['/accumulated-taker-delta/BTC', '1s', '60d', ['61d', '0s']],
    ['/orderbooks/history-summaries/BTC', '1h', '180d', ['59m', '181d']],
    ['/whales/history-long-ratio', '10m', '1d', ['15m', '1w']],
  ]
  for (const [path, least, most, outside] of spans) {
    for (const interval of [least, most]) expect(get(path, { interval }).status).toBe(200)
    for (const interval of outside) expect(get(path, { interval })).toMatchObject({ code: '400' })
  }
  for (const interval of ['1s', '7m', '1w'])
    expect(get(`/klines-with-taker-vol/BTC/${interval}`).status).toBe(200)
  expect(get('/klines-with-taker-vol/BTC/8d').status).toBe(400)
})

test('unknown things have empty answers, not errors', async () => {
  const { get } = await ready
  const nobody = `0x${'9'.repeat(40)}`
  for (const path of [
    '/open-interest/history/nothing',
    '/open-interest/history/PURR%2FUSDC',
    '/orderbooks/history-summaries/nothing',
    '/klines-with-taker-vol/nothing/1h',
    '/fills/twapid/999999999',
    `/fills/builder/${nobody}/latest`,
    '/orders/top-open-orders?coin=nothing&x=',
    '/whales/open-positions?coin=nothing&x=',
  ]) {
    const [at, query = ''] = path.split('?')
    const { status, data } = get(at ?? '', Object.fromEntries(new URLSearchParams(query)))
    expect([path, status, data]).toEqual([path, 200, []])
  }
  const delta = get('/accumulated-taker-delta/nothing').data
  expect(delta).toEqual({ szDelta: '0', valDelta: '0' })
  expect(get('/orders/active-stats', { coin: 'nothing' }).data.bidValueRatio).toBe('0')
  const huge = { whale_threshold: '9'.repeat(60) }
  expect(get('/orders/active-stats', huge).data.whaleBidCount).toBe(0)
})
