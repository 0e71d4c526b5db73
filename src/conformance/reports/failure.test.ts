import { expect, test } from 'bun:test'
import { Conversation } from '../conversation.ts'
import { reportOf } from '../report.ts'
import type { Result } from '../runner.ts'
import { causesOf, extentText, latestOf, lineDifferences } from './failure.ts'

test('entries of the same moment are ordered, the last is the latest', () => {
  const conversation = new Conversation(() => 7)
  const socket = conversation.opens({ path: '/hl/ws' }, 'http://there')
  const lookup = conversation.asks({ path: '/hl/tickers' }, 'http://there')
  conversation.answered(lookup, { status: 200, contentType: '', text: '[]' })
  expect(latestOf(conversation.said)).toBe(lookup)
  conversation.logOf(socket).frame('target', '{}')
  expect(latestOf(conversation.said)).toBe(socket)
})

test('a common line is shown once, also between different lines', () => {
  const reported = lineDifferences(
    ['{', 'status 401', 'code', 'data null', '}'],
    ['{', 'status 200', 'code', 'data', '}'],
  )
  expect(reported).toEqual([
    '  {',
    '- status 401',
    '+ status 200',
    '  code',
    '- data null',
    '+ data',
    '  }',
  ])
})

test('a different line far behind a thousand equal ones is shown', () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => `row ${at}`)
  const reported = lineDifferences(rows, rows.toSpliced(997, 1, 'another'))
  expect(reported).toEqual([
    '  … (994 common lines)',
    ...['  row 994', '  row 995', '  row 996', '- row 997', '+ another', '  row 998', '  row 999'],
  ])
})

test('a line that is missing moves no other', () => {
  expect(lineDifferences(['a', 'b', 'c'], ['a', 'c'])).toEqual(['  a', '- b', '  c'])
  expect(lineDifferences([], ['a'])).toEqual(['+ a'])
})

test('thousands of lines without a common one are shown unchanged', () => {
  const [one, other] = ['a', 'b'].map((of) => Array.from({ length: 2_000 }, (_, at) => of + at))
  expect(lineDifferences(one ?? [], other ?? [])).toHaveLength(4_000)
})

/** A failure at a path, with its evidence. */
function failed(id: string, path: string, message: string, evidence?: unknown): Result {
  const signature = { by: 'full', in: 'query', ageS: 0, isAltered: false } as const
  const address = `http://there/s/s1/api/upgrade/v2${path}?limit=1`
  const base = { kind: 'request', method: 'GET', afterMs: 0, address, signature } as const
  return {
    id,
    title: 'something holds',
    checks: [],
    verdict: 'failed',
    message,
    evidence,
    looked: true,
    conversation: [{ ...base, answer: null }],
    durationMs: 1,
  }
}

const causes = (...results: Result[]) =>
  causesOf(reportOf('http://there', results)).map((cause) => [cause.text, extentText(cause)])

test('failures with the same reason are one cause, and the most common comes first', () => {
  const expected = { status: 200, said: 'success' }
  const found = { status: 401, msg: 'Invalid signature' }
  const closed = { received: [], closeCode: 1006 }
  expect(
    causes(
      failed('a', '/hl/ws', 'a ping is answered', closed),
      failed('b', '/coin', '/coin is answered with success', { expected, found }),
      failed('c', '/mix/nav', '/mix/nav is answered with success', { expected, found }),
      failed('d', '/x/0xab', 'perpdex.pnls: data.3.pnl: expected string, found 7'),
      failed('e', '/x/0xcd', 'perpdex.pnls: data.12.pnl: expected string, found 8'),
      failed('f', '/y', 'perpdex.fills: data.0.pnl: expected string, found 9'),
      failed('g', '/hl/ws', 'subscribe is acknowledged', closed),
      failed('i', '/coin/config', 'coin.config is refused with 401 with an unknown key'),
      failed('j', '/coin', 'coin.list is refused with 401 with an unknown key'),
      failed('h', '/z', '/api/z is not answered (ECONNRESET)'),
    ),
  ).toEqual([
    ['data[].pnl: expected string', '3 cases: /x/{address}, /y'],
    ['a socket is closed with 1006 while an answer is awaited', '2 cases: /hl/ws'],
    ['refused with 401 "Invalid signature" where success is expected', '2 cases: /coin, /mix/nav'],
    ['does not hold: … is refused with 401 with an unknown key', '2 cases: /coin/config, /coin'],
    ['… is not answered (ECONNRESET)', '1 case: /z'],
  ])
})

test('a failure of meaning comes before frequent ones of form, after what fails most', () => {
  const form = [1, 2, 3].map((at) =>
    failed(`answer.${at}`, '/x', 'perpdex.pnls: data.3.pnl: expected string, found 7'),
  )
  const meaning = failed('ledger.trades-once', '/hl/ws', 'the trade 7 of BTC is pushed twice')
  expect(causes(...form, meaning).map(([text]) => text)).toEqual([
    'does not hold: the trade # of BTC is pushed twice',
    'data[].pnl: expected string',
  ])
  const closed = { received: [], closeCode: 1006 }
  const dead = Array.from({ length: 12 }, (_, at) =>
    failed(`sockets.${at}`, '/hl/ws', 'a ping is answered', closed),
  )
  expect(causes(...form, meaning, ...dead).map(([text]) => text)).toEqual([
    'a socket is closed with 1006 while an answer is awaited',
    'does not hold: the trade # of BTC is pushed twice',
    'data[].pnl: expected string',
  ])
})
