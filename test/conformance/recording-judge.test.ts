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
function failures(learning: Learning): Record<string, string> {
  const { results } = learning.report('a test')
  const failed = results.filter(({ verdict }) => verdict === 'failed')
  return Object.fromEntries(failed.map(({ id, message }) => [id, message]))
}

const NODE = `${P}/hl/ws`

function pushed(learning: Learning, channel: string, data: unknown): void {
  const text = JSON.stringify({ channel, data })
  learning.message({ seq: ++seq, connection: 1, direction: 'out', text })
}

const bbo = (time: number) => ({
  coin: 'BTC',
  time,
  bbo: [
    { px: '94756', sz: '1', n: 1 },
    { px: '94757', sz: '1', n: 1 },
  ],
})

test('conforming traffic passes, in a report of the suite', () => {
  const learning = new Learning()
  answered(learning, TICKERS)
  learning.opened(1, NODE, ++seq)
  pushed(learning, 'bbo', bbo(1_768_471_200_000))
  const report = learning.report('a test')
  expect(report.results.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['recorded.answer.perpdex.tickers', 'passed'],
    ['recorded.content.perpdex.tickers', 'passed'],
    ['recorded.limit.perpdex.tickers', 'passed'],
    ['recorded.order.bbo', 'passed'],
    ['recorded.push.bbo', 'passed'],
  ])
  expect(report.notes).toEqual([])
  expect(report.requirements.filter(({ looked }) => looked).length).toBeGreaterThan(0)
  expect(report.schemas.seen).toBeGreaterThan(0)
})

test('a form and an order that differ from the contract fail, with their place', () => {
  const learning = new Learning()
  const { seq: before } = { seq }
  answered(learning, TICKERS)
  answered(learning, { ...TICKERS, data: [{ coin: 'BTC', price: 94756 }] })
  answered(learning, { ...TICKERS, data: [TICKERS.data[0], TICKERS.data[0]] })
  learning.opened(1, NODE, ++seq)
  pushed(learning, 'bbo', bbo(1_768_471_200_001))
  pushed(learning, 'bbo', bbo(1_768_471_200_000))
  pushed(learning, 'bbo', { ...bbo(1_768_471_200_002), bbo: null })
  expect(failures(learning)).toEqual({
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

test('undeclared parts are listed once, with count and place', () => {
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
  expect(learning.report('a test').notes).toEqual(
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

test('incomplete responses are not judged, and counted', () => {
  const learning = new Learning()
  learning.skip()
  const { results, notes } = learning.report('a test')
  expect(results).toEqual([])
  expect(notes).toEqual(['1 exchanges were not judged: they are not whole, or no text'])
})
