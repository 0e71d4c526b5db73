/** Findings from recorded traffic alone. */
import { expect, test } from 'bun:test'
import { operationAt } from '../../src/conformance/answer-content.ts'
import { type Fetched, requestedFor } from '../../src/conformance/recording/recorded-answers.ts'
import { Learning, limitFlaw } from '../../src/conformance/recording/recording-judge.ts'
import type { Operation } from '../../src/contract/operation.ts'

const P = '/api/upgrade/v2'
let seq = 0

interface Answered {
  url: string
  data: unknown
  status?: number
  code?: string
  method?: string
  body?: string
}

/** A response in envelope B. */
function answered(learning: Learning, { url, data, status = 200, code = '0', ...of }: Answered) {
  const { method = 'GET', body: requestBody = '' } = of
  const responseBody = JSON.stringify({ code, msg: 'success', data })
  const headers = { 'content-type': 'application/json' }
  learning.exchange({ seq: ++seq, method, url, requestBody, status, headers, responseBody })
}

const TICKERS = { url: `${P}/hl/tickers`, data: [{ coin: 'BTC', price: '94756' }] }

/** Verdicts and messages by id, without passed ones. */
async function failures(learning: Learning): Promise<Record<string, string>> {
  const { results } = await learning.report('a test')
  const failed = results.filter(({ verdict }) => verdict === 'failed')
  return Object.fromEntries(failed.map(({ id, message }) => [id, message]))
}

const NODE = `${P}/hl/ws`

function pushed(learning: Learning, channel: string, data: unknown): void {
  const text = JSON.stringify({ channel, data })
  learning.message({ seq: ++seq, connection: 1, direction: 'out', text })
}

/** A socket is opened, and subscribes a channel of BTC. */
function subscribed(learning: Learning, type: string): void {
  learning.opened(1, NODE, ++seq)
  const text = JSON.stringify({ method: 'subscribe', subscription: { type, coin: 'BTC' } })
  learning.message({ seq: ++seq, connection: 1, direction: 'in', text })
}

const bbo = (time: number) => ({
  coin: 'BTC',
  time,
  bbo: [
    { px: '94756', sz: '1', n: 1 },
    { px: '94757', sz: '1', n: 1 },
  ],
})

test('conforming traffic passes, in a report of the suite', async () => {
  const learning = new Learning()
  answered(learning, TICKERS)
  subscribed(learning, 'bbo')
  pushed(learning, 'bbo', bbo(1_768_471_200_000))
  const report = await learning.report('a test')
  expect(report.results.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['recorded.answer.perpdex.tickers', 'passed'],
    ['recorded.content.perpdex.tickers', 'passed'],
    ['recorded.limit.perpdex.tickers', 'passed'],
    ['recorded.order.bbo', 'passed'],
    ['recorded.push.bbo', 'passed'],
    ['ledger.only-subscribed', 'passed'],
    ['ledger.content-types', 'passed'],
  ])
  expect(report.notes).toEqual([])
  expect(report.requirements.filter(({ looked }) => looked).length).toBeGreaterThan(0)
  expect(report.schemas.seen).toBeGreaterThan(0)
})

test('a form and an order that differ from the contract fail, with their place', async () => {
  const learning = new Learning()
  const { seq: before } = { seq }
  answered(learning, TICKERS)
  answered(learning, { ...TICKERS, data: [{ coin: 'BTC', price: 94756 }] })
  answered(learning, { ...TICKERS, data: [TICKERS.data[0], TICKERS.data[0]] })
  subscribed(learning, 'bbo')
  pushed(learning, 'bbo', bbo(1_768_471_200_001))
  pushed(learning, 'bbo', bbo(1_768_471_200_000))
  pushed(learning, 'bbo', { ...bbo(1_768_471_200_002), bbo: null })
  expect(await failures(learning)).toEqual({
    'recorded.answer.perpdex.tickers': expect.stringContaining(`(seq ${before + 2}; 1 of 3)`),
    'recorded.content.perpdex.tickers': expect.stringContaining('has a row twice'),
    'recorded.order.bbo': expect.stringContaining('after one of 1768471200001'),
    'recorded.push.bbo': expect.stringContaining('bbo: data.bbo'),
  })
})

test('more rows than requested, or than the maximum, are too many', () => {
  const flaw = (url: string, count: number) => {
    const requested = requestedFor('GET', `${P}${url}`) as Fetched
    const json = { code: '0', data: Array.from({ length: count }, (_, at) => at) }
    const { method, path } = requested
    const exchange = { method, path, status: 200, contentType: '', text: '', json }
    return limitFlaw(operationAt(method, path) as Operation, requested, exchange)
  }
  expect(flaw('/hl/twaps/top-impact?limit=2', 2)).toBeNull()
  expect(flaw('/hl/twaps/top-impact?limit=2', 3)).toBe('3 rows are at most 2 (limit 2)')
  expect(flaw('/hl/twaps/top-impact?limit=9999', 9999)).toContain('9999 rows are at most')
  expect(flaw('/hl/twaps/top-impact', 9999)).toContain('(limit left out)')
  expect(flaw('/hl/tickers', 9999)).toBeNull()
})

test('undeclared parts are listed once, with count and place', async () => {
  const learning = new Learning()
  const { seq: before } = { seq }
  const data = [{ coin: 'BTC', price: '94756', venue: 'x' }]
  answered(learning, { ...TICKERS, data })
  answered(learning, { ...TICKERS, data, url: `${TICKERS.url}?fast=1&AccessKeyId=a` })
  answered(learning, { ...TICKERS, data: null, status: 418, code: '4018' })
  answered(learning, { url: `${P}/hl/brand-new?x=1`, data: [] })
  answered(learning, { url: '/elsewhere', data: [] })
  learning.opened(1, NODE, ++seq)
  pushed(learning, 'novelties', {})
  const at = (after: number) => `first at seq ${before + after}`
  expect((await learning.report('a test')).notes).toEqual(
    [
      `a refusal of perpdex.tickers, once, ${at(3)}: {"status":418,"code":"4018"}`,
      `the channel novelties, once, ${at(7)}: {}`,
      `the field perpdex.tickers[].venue, 2 times, ${at(1)}: "x"`,
      `the parameter fast of perpdex.tickers, once, ${at(2)}: "1"`,
      `the path GET ${P}/hl/brand-new, once, ${at(4)}: 200`,
      `the path GET /elsewhere, once, ${at(5)}: 200`,
    ].map((part) => `not in the contract: ${part}`),
  )
})

test('incomplete responses are not judged, and counted', async () => {
  const learning = new Learning()
  learning.skip()
  const { results, notes } = await learning.report('a test')
  expect(results).toEqual([])
  expect(notes).toEqual(['1 exchanges were not judged: they are not whole, or no text'])
})

const trades = (tid: number, time: number) => [
  {
    coin: 'BTC',
    side: 'B',
    px: '94756',
    sz: '1',
    hash: '0x0',
    time,
    tid,
    users: [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`],
  },
]

test('what contradicts an earlier part of the recording fails, by the rules of a run', async () => {
  const learning = new Learning()
  subscribed(learning, 'trades')
  for (const tid of [1, 2, 3, 2]) pushed(learning, 'trades', trades(tid, 1_768_471_200_000))
  const twice = seq
  const rows = (value: string) =>
    [1, 2, 3].map((at) => ({ time: at * 3_600_000, openInterest: at === 2 ? value : '1' }))
  const url = `${P}/hl/open-interest/history/BTC?interval=1h`
  for (const value of ['5', '6']) answered(learning, { url, data: rows(value) })
  const { results } = await learning.report('a test')
  const of = (id: string) => results.find((result) => result.id === `ledger.${id}`)
  expect(of('trades-once')?.message).toContain('pushed twice')
  const said = expect.stringContaining(`seq ${twice}: socket 1 GET /hl/ws: `)
  expect(of('trades-once')?.evidence).toMatchObject({ found: { said } })
  expect(of('past-rows')?.message).toContain('has changed')
})

test('both sides of a gap are not compared, nor is a socket opened before', async () => {
  const learning = new Learning()
  subscribed(learning, 'trades')
  for (const tid of [1, 2, 3]) pushed(learning, 'trades', trades(tid, 1_768_471_200_000))
  learning.gap()
  pushed(learning, 'trades', trades(3, 1_768_471_200_000))
  learning.opened(1, NODE, ++seq, true)
  pushed(learning, 'trades', trades(2, 1_768_471_200_000))
  const failed = await failures(learning)
  expect(Object.keys(failed).filter((id) => id.startsWith('ledger.'))).toEqual([])
})
