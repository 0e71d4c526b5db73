import { expect, test } from 'bun:test'
import { reportOf } from '../report.ts'
import type { Result } from '../runner.ts'
import { causesOf, extentText } from './causes.ts'

/** A failure at a path, with its evidence. */
function failed(id: string, path: string, message: string, evidence?: unknown): Result {
  const signature = { by: 'full', in: 'query', ageS: 0, isAltered: false } as const
  const address = `http://there/s/s1/api/upgrade/v2${path}?limit=1`
  const asking = { kind: 'request', method: 'GET', afterMs: 0, address, signature } as const
  return {
    id,
    title: 'something holds',
    checks: [],
    verdict: 'failed',
    message,
    evidence,
    looked: true,
    conversation: [{ ...asking, answer: null }],
    durationMs: 1,
  }
}

const causes = (...results: Result[]) =>
  causesOf(reportOf('http://there', results)).map((cause) => [cause.text, extentText(cause)])

test('what fails for the same reason is one cause, and the commonest comes first', () => {
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
