/** Alerts: set by a client, fired by the market. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import {
  ALERT_INDICATORS,
  ALERT_MINUTES,
  parseSubType,
} from '../../src/contract/alert-catalogue.ts'
import { explainRequest } from '../../src/sandbox/pipeline/explanation.ts'
import { bareRequest } from '../../src/sandbox/pipeline/http-message.ts'
import { routeOf } from '../../src/sandbox/pipeline/operation-call.ts'
import { ALERTS_MAX } from '../../src/sandbox/sandbox-run.ts'
import { SignatureRefusalLog } from '../../src/sandbox/signature-diagnosis.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const PREFIX = '/api/upgrade/v2/signal'
const MINUTE_MS = 60_000
const BTC = 'btcswapusdc:hl'

async function alertRequests(options = {}) {
  const { registry, sandbox } = await recordedRegistry({ epoch: 'tape', ...options })
  const { request } = memoryTransport(registry)
  const get = (path: string, key = 'demo') => {
    const sign = `${path.includes('?') ? '&' : '?'}${signed(key, -1)}`
    return JSON.parse(request('GET', `${PREFIX}/${path}${sign}`).body).data
  }
  const add = (subType: string, symbol = BTC, key = 'demo') =>
    get(`addSignalAlert?subType=${subType}&symbol=${symbol}`, key).result
  const fired = (key = 'demo') => get('signalAlert', key).list
  const lines: string[] = []
  Object.assign(registry, {
    log: new SignatureRefusalLog((line) => lines.push(line), registry.systemClock),
  })
  const failed = (path: string) => {
    const [at = '', query = ''] = path.split('?')
    const request = bareRequest('GET', `${PREFIX}/${at}`, `${query}&${signed('demo', -1)}`)
    const { checks } = runToEnd(explainRequest(registry, routeOf('GET', request.path), request))
    return checks.filter(({ passed }) => !passed).map(({ check, detail }) => [check, detail])
  }
  return { sandbox, get, add, fired, lines, failed }
}

test('an alert on a price fires with the first trade beyond it, not before', async () => {
  const { sandbox, get, add, fired } = await alertRequests()
  await sandbox.clock.advance(5 * MINUTE_MS)
  const { atMs } = sandbox.position()
  const { market } = sandbox.facts()
  const limit = Number(market.ticker('BTC')?.price) - 500
  expect(add(`price:1:below:${limit}`)).toBe('true')
  expect(get('getSignalAlertSetList')).toEqual({
    list: [
      {
        id: '1',
        tpKey: BTC,
        setPrice: String(limit + 500),
        subType: `price:1:below:${limit}`,
        setTime: String(Math.floor(atMs / 1000)),
      },
    ],
    count: '1',
  })
  let before = fired()
  while (fired().length === 0) {
    before = fired()
    expect(Number(sandbox.facts().market.ticker('BTC')?.price)).toBeGreaterThan(limit)
    await sandbox.clock.advance(1000)
  }
  expect(before).toEqual([])
  const [alert] = fired()
  expect(alert).toMatchObject({ tp_key: BTC, side: 'sell', sub_type: `price:1:below:${limit}` })
  expect(Number(alert.ews_price)).toBeLessThanOrEqual(limit)
  expect(Number(alert.ews_time)).toBeGreaterThanOrEqual(
    Math.floor(sandbox.position().atMs / 1000) - 1,
  )
  await sandbox.clock.advance(MINUTE_MS)
  expect(fired()).toEqual([alert])
})

test('every alert of the catalogue can be set, and fired ones have a later time', async () => {
  const { sandbox, add, fired } = await alertRequests({ questions: { 'alert-repeats': 'each' } })
  const setS = Math.floor(sandbox.position().atMs / 1000)
  for (const [key, { triggers }] of Object.entries(ALERT_INDICATORS))
    for (const trigger of Object.keys(triggers)) {
      const params = key === 'price' ? ':94000' : ''
      expect([key, add(`${key}:1:${trigger}${params}`, 'btcswapusdt:binance')]).toEqual([
        key,
        'true',
      ])
    }
  await sandbox.clock.advance(10 * MINUTE_MS)
  const early = fired()
  await sandbox.clock.advance(9 * MINUTE_MS)
  const late = fired()
  // A fired alert stays fired.
  expect(late).toEqual(expect.arrayContaining(early))
  expect(late.length).toBeGreaterThan(early.length)
  const times = late.map(({ ews_time }: { ews_time: string }) => Number(ews_time))
  expect(times).toEqual(times.toSorted((a: number, b: number) => b - a))
  expect(Math.min(...times)).toBeGreaterThan(setS)
  const kinds = new Set(late.map(({ sub_type }: { sub_type: string }) => sub_type.split(':')[0]))
  expect(kinds.size).toBeGreaterThan(5)
})

test('an unknown alert cannot be set', async () => {
  const { add, get } = await alertRequests()
  const wrong = ['', 'macd', 'macd:1', 'macd:1:up', 'macd:7:golden', 'rsi:1:oversold:0']
  const more = ['ma:1:golden:5,20,3', 'ma:1:golden:a', 'td:1:low:9', 'a:b:c:d:e']
  for (const text of [...wrong, ...more]) expect([text, parseSubType(text)]).toEqual([text, null])
  for (const text of [...wrong.slice(1), ...more]) expect(add(text)).toBe('false')
  expect(add('macd:1:golden', 'btcswapusdt:nowhere')).toBe('false')
  expect(get('getSignalAlertSetList')).toEqual({ list: [], count: '0' })
})

test('every listed trigger can be set without parameters', async () => {
  const { add, get } = await alertRequests()
  const { alertConfig, period } = get('signalAlertConf?lan=en')
  for (const { indicatorKey, config } of alertConfig)
    for (const { triggerKey } of config) {
      const subType = `${indicatorKey}:${period[0]}:${triggerKey}`
      expect([subType, add(subType)]).toEqual([subType, 'true'])
    }
})

test('an alert on a price has the present price by default', async () => {
  const { sandbox, add, get, fired } = await alertRequests()
  expect(add('price:1:below')).toBe('true')
  const price = Number(get('getSignalAlertSetList').list[0].setPrice)
  while (fired().length === 0) {
    const lowest = Number(sandbox.facts().market.ticker('BTC')?.price)
    expect(lowest).toBeGreaterThanOrEqual(price)
    await sandbox.clock.advance(100)
  }
  expect(fired()[0]).toMatchObject({ sub_type: 'price:1:below', side: 'sell' })
  expect(Number(fired()[0].ews_price)).toBeLessThanOrEqual(price)
})

test('log, journal and explain have the reason of a failed alert', async () => {
  const { sandbox, add, get, lines, failed } = await alertRequests()
  const reasons: [subType: string, symbol: string, why: string][] = [
    ['td', BTC, 'there is no period "": use 1, 3, 5, 15, 30, 60, 120, 240, 360, 720 or 1440'],
    ['macd:1:up', BTC, 'macd has no trigger "up": use golden or death'],
    ['td:1:low:9', BTC, 'td: it has no params, not "9"'],
    ['a:b:c:d:e', BTC, 'subType has 5 parts, and 4 are the most'],
    ['td:1:low', 'x:nowhere', 'pair "x:nowhere" is not known, or has no price yet'],
  ]
  for (const [subType, symbol, why] of reasons) {
    expect(add(subType, symbol)).toBe('false')
    expect(lines.at(-1)).toBe(`signal.addAlert for key "demo": ${why}`)
    expect([...sandbox.journal.after(0)].at(-1)).toMatchObject({ subject: why, status: 200 })
    expect(failed(`addSignalAlert?subType=${subType}&symbol=${symbol}`)).toEqual([['answer', why]])
  }
  expect(get('delSignalAlert?id=7').result).toBe('false')
  const why = 'this key has set no alert with the id 7'
  expect([...sandbox.journal.after(0)].at(-1)).toMatchObject({ subject: why })
  expect(failed('delSignalAlert?id=7')).toEqual([['answer', why]])
  expect(failed(`addSignalAlert?subType=price:1:above&symbol=${BTC}`)).toEqual([])
})

test('alerts belong to a key, are removed once, and their number is bounded', async () => {
  const { add, get } = await alertRequests()
  for (let at = 0; at < ALERTS_MAX; at++) expect(add('macd:1:golden')).toBe('true')
  expect(add('macd:1:golden')).toBe('false')
  expect(add('macd:1:golden', BTC, 'demo-partner')).toBe('true')
  expect(get('getSignalAlertSetList', 'demo-partner').count).toBe('1')
  const mine = get('getSignalAlertSetList').list[0].id
  expect(get(`delSignalAlert?id=${mine}`, 'demo-partner').result).toBe('false')
  expect(get(`delSignalAlert?id=${mine}`).result).toBe('true')
  expect(get(`delSignalAlert?id=${mine}`).result).toBe('false')
  expect(get('getSignalAlertSetList').count).toBe(String(ALERTS_MAX - 1))
})

test('the configuration names exactly what can be set, in both languages', async () => {
  const { get } = await alertRequests()
  for (const lan of ['cn', 'en']) {
    const { alertConfig, period } = get(`signalAlertConf?lan=${lan}`)
    expect(period).toEqual(ALERT_MINUTES)
    for (const { indicatorKey, config, name } of alertConfig) {
      expect(/\p{Script=Han}/u.test(name)).toBe(lan === 'cn')
      for (const { triggerKey, signalType } of config) {
        const params = indicatorKey === 'price' ? '1' : ''
        const parsed = parseSubType(`${indicatorKey}:${period[0]}:${triggerKey}:${params}`)
        expect(parsed?.side).toBe(signalType)
      }
    }
  }
})

test('an alert keeps its time when the tape restarts', async () => {
  const { sandbox, get, add, fired } = await alertRequests()
  await sandbox.clock.advance(15 * MINUTE_MS)
  add('price:1:above:1')
  await sandbox.clock.advance(MINUTE_MS)
  const set = get('getSignalAlertSetList').list[0].setTime
  await sandbox.clock.advance(19 * MINUTE_MS)
  expect(get('getSignalAlertSetList').list[0].setTime).toBe(set)
  expect(Number(fired()[0].ews_time)).toBeGreaterThanOrEqual(Number(set))
})
