/** A run crosses the ends of a minute, an hour, a day and a month, and says which it could not. */
import { expect, test } from 'bun:test'
import { allCases, rulesNamed } from '../../src/conformance/conform.ts'
import { Ledger } from '../../src/conformance/ledger/ledger.ts'
import { ledgerResults } from '../../src/conformance/ledger/ledger-rule.ts'
import { laterChange, nudged } from '../../src/conformance/lies/answer-changes.ts'
import { type Change, changedTransport } from '../../src/conformance/lies/lying-transport.ts'
import { isJsonObject } from '../../src/conformance/responses.ts'
import { runCases } from '../../src/conformance/runner.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'
import { data } from './deviations/by-hand/shorthand.ts'

const CASES = allCases().filter(({ id }) => id.startsWith('time.'))
const BEFORE_MONTH_END_MS = Date.UTC(2026, 2, 31, 23, 58)
let nonce = 0

/** Verdicts of the cases, and the rules that fail, at a target that begins at an instant. */
async function crossing(now: number, change: Change = {}, hasControl = true) {
  const opened = await memoryTarget({ now, signatureTime: 'session' })
  const { clock } = opened.sandbox
  const nowMs = () => clock.nowMs()
  const { control, ...blackBox } = opened.target
  const ledger = new Ledger()
  const results = await runCases(CASES, {
    target: { ...(hasControl ? opened.target : blackBox), nowMs },
    transport: changedTransport(opened.transport, change),
    systemClock: { ...futureSigning, nowMs },
    nonce: `crossing-${nonce++}`,
    ledger,
  })
  const broken = (await ledgerResults(ledger, rulesNamed())).filter(
    ({ verdict }) => verdict === 'failed',
  )
  ledger.close()
  opened.registry.close()
  const verdicts = Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))
  const messages = Object.fromEntries(results.map(({ id, message }) => [id, message]))
  return { verdicts, messages, broken: broken.map(({ id }) => id) }
}

test('before the end of a month all ends are crossed, and the past stays as it was', async () => {
  const { verdicts, broken } = await crossing(BEFORE_MONTH_END_MS)
  expect(verdicts).toEqual({
    'time.minute': 'passed',
    'time.hour': 'passed',
    'time.day': 'passed',
    'time.month': 'passed',
  })
  expect(broken).toEqual([])
})

test('an end that is too far away is not crossed, which the case says', async () => {
  const { verdicts, messages } = await crossing(Date.UTC(2026, 2, 4, 12, 30, 30))
  expect(verdicts).toMatchObject({ 'time.minute': 'passed', 'time.day': 'skipped' })
  expect(messages['time.day']).toMatch(/^the next day begins only in \d+ minutes, which is too far/)
})

test('without a control plane nothing is crossed, which each case says', async () => {
  const { messages } = await crossing(BEFORE_MONTH_END_MS, {}, false)
  expect(messages['time.hour']).toBe('without a control plane the end of no hour is crossed')
})

/** What a target says after an end that contradicts what it said before, and who notices. */
const LIES: Record<string, { change: () => Change; by: string }> = {
  'the past of a portfolio is another one after the end': {
    by: 'ledger.past-rows',
    change: () =>
      laterChange({ operation: 'perpdex.portfolio' }, (given) => {
        const points = isJsonObject(given) ? given.accountValue : null
        if (!Array.isArray(points)) return given
        const middle = points.length >> 1
        return {
          ...(given as object),
          accountValue: points.map((one, at) =>
            at === middle ? { ...one, value: nudged(one.value) } : one,
          ),
        }
      }),
  },
  'no funding is paid': {
    by: 'time.hour',
    change: () => data(/\/hl\/info/, (rows) => (rows?.[0]?.delta?.fundingRate ? [] : rows)),
  },
  'an hour begins at half past': {
    by: 'time.hour',
    change: () =>
      data(/klines-with-taker-vol\/\w+\/1h/, (rows) =>
        rows.map((row: { openTime: number }) => ({ ...row, openTime: row.openTime + 1_800_000 })),
      ),
  },
  'a day is counted from noon': {
    by: 'time.day',
    change: () =>
      data(/klines-with-taker-vol\/\w+\/1d/, (rows) =>
        rows.map((row: { openTime: number }) => ({ ...row, openTime: row.openTime - 43_200_000 })),
      ),
  },
  'the quota goes on over the end of the month': {
    by: 'time.month',
    change: () => {
      let most = 0
      return data(/distributor\/quota/, (quota) => {
        most = Math.max(most, quota.used_quota) + 1
        return { ...quota, used_quota: most }
      })
    },
  },
}

test.each(Object.entries(LIES))('noticed: %s', async (_, { change, by }) => {
  const { verdicts, broken } = await crossing(BEFORE_MONTH_END_MS, change())
  const failed = Object.keys(verdicts).filter((id) => verdicts[id] === 'failed')
  expect([...failed, ...broken]).toContain(by)
})
