/** A failed case shows why the target answered as it did, from the journal of its sandbox. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { CheckFailure } from '../../src/conformance/case-outcome.ts'
import { judge } from '../../src/conformance/conform.ts'
import type { Case } from '../../src/conformance/probe.ts'
import { failuresOf, failureText, reasonOf } from '../../src/conformance/reports/failure.ts'
import { withTarget } from '../../src/conformance/target-place.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
const { origin } = await serveRegistry(registry)

/** Cases that fail after their last request, whatever its response. */
const failing = (id: string, run: Case['run']): Case => ({
  id,
  title: id,
  checks: [],
  run: async (probe) => {
    await run(probe)
    throw new CheckFailure('it fails')
  },
})

const CASES = [
  failing('symbol', async (probe) => {
    await probe.request({ path: '/hl/tickers' })
    const query = { symbol: 'btcswap:binance', interval: '1h' }
    await probe.request({ path: '/futures/funding-rate/history', query })
  }),
  failing('signature', async (probe) => {
    await probe.request({
      path: '/hl/tickers',
      tamper: (right) => ({ ...right, Signature: 'bm8=' }),
    })
  }),
  failing('unsigned', async (probe) => {
    await probe.request({ path: '/coin', signedIn: 'nowhere' })
  }),
  failing('socket', async (probe) => {
    await probe.tryConnect({ path: '/hl/ws', signedIn: 'nowhere' })
  }),
  failing('elsewhere', async (probe) => {
    const other = await probe.target.control?.answering?.({ 'nonce-reuse': 'reject' })
    if (other === undefined) return
    const nonce = probe.newNonce()
    await probe.at(other).request({ path: '/hl/tickers', nonce })
    await probe.at(other).request({ path: '/hl/tickers', nonce })
  }),
  failing('answered', async (probe) => {
    await probe.request({ path: '/hl/tickers' })
  }),
]

const settings = { controlUrl: `${origin}/_control` }
const report = await withTarget(settings, (place) => judge(place, CASES, settings))
const first = report.results.map((one) => [one.id, reasonOf(one)[0]])

test('the deciding request has the reason that the journal kept', () => {
  expect(Object.fromEntries(first)).toEqual({
    symbol: 'answer: Unsupported symbol: btcswap:binance',
    signature: expect.stringMatching(/^signature: /),
    unsigned: expect.stringMatching(/^signature: /),
    socket: expect.stringMatching(/^signature: /),
    elsewhere: expect.stringMatching(/^signature: .*nonce/i),
    answered: 'no check refused it, and no rule of a scenario acted on it',
  })
})

test('a report has it beside the response, with what to do', () => {
  const [text] = failuresOf(report).map(failureText)
  expect(text).toContain('\n  why, by the journal: answer: Unsupported symbol: btcswap:binance\n')
  expect(text).toContain('\n    what to do: did you mean btcswapusdt:binance?\n')
})

test('without a control plane there is none', async () => {
  const keys = { full: { accessKey: 'demo', secretKey: 'demo-secret' } }
  const place = { baseUrl: origin, keys }
  const { results } = await withTarget(place, (at) => judge(at, CASES.slice(0, 1), place))
  expect(results.flatMap(reasonOf)).toEqual([])
})
