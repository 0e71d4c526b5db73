/** One fault of a target is one reason of its report, and the first reason is the true cause. */
import { expect, test } from 'bun:test'
import { allCases } from '../../src/conformance/conform.ts'
import { type Change, changedTransport } from '../../src/conformance/lies/lying-transport.ts'
import { reportOf } from '../../src/conformance/report.ts'
import { causesOf } from '../../src/conformance/reports/failure.ts'
import { runCases } from '../../src/conformance/runner.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'

const opened = await memoryTarget()
let nonce = 0

/** The reasons of a report of some cases at a target with one fault. */
async function reasonsOf(of: RegExp, change: Change): Promise<string[]> {
  const results = await runCases(
    allCases().filter(({ id }) => of.test(id)),
    {
      target: opened.target,
      transport: changedTransport(opened.transport, change),
      systemClock: futureSigning,
      nonce: `causes-${nonce++}`,
      retries: 1,
    },
  )
  return causesOf(reportOf('the target', results)).map(({ text }) => text)
}

/** Refusals with a status whose body is another one. */
const refusing = (status: number, change: (body: Record<string, unknown>) => unknown): Change => ({
  answer: (received) =>
    received.status === status
      ? { ...received, text: JSON.stringify(change(JSON.parse(received.text))) }
      : received,
})

const FAULTS: Record<string, { of: RegExp; change: Change; first: RegExp }> = {
  '401 without data': {
    of: /^(access|errors)\./,
    change: refusing(401, ({ data: _, ...rest }) => rest),
    first: /a refusal with 401 has data null/,
  },
  '401 with another code': {
    of: /^access\.(coin|mix|index)/,
    change: refusing(401, (body) => ({ ...body, code: '4010' })),
    first: /a refusal with 401 has the code "401"/,
  },
  '400 with the code of a success': {
    of: /^(errors|required)\b/,
    change: refusing(400, (body) => ({ ...body, code: '0' })),
    first: /a refusal with (HTTP )?400 has (a code or words of success|the code "400")/,
  },
  'a parameter read as its other value': {
    of: /mix\.liq/,
    change: {
      request: (sent) => ({
        ...sent,
        path: sent.path.replace(/([?&]type=)([12])\b/, (_, name, value) => `${name}${3 - value}`),
      }),
    },
    first: /type is by coin for . and by market for ., not the other way round/,
  },
  'envelope A for every 403': {
    of: /permission|errors\./,
    change: refusing(403, ({ msg }) => ({
      success: false,
      errorCode: 403,
      error: msg,
      data: null,
    })),
    first: /a refusal with 403/,
  },
}

test.each(Object.entries(FAULTS))(
  '%s is the first reason, and the only one of its kind',
  async (...one) => {
    const [, { of, change, first }] = one
    const reasons = await reasonsOf(of, change)
    expect(reasons[0]).toMatch(first)
    expect(reasons.slice(1)).toEqual([])
  },
)
