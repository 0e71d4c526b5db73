/** Runs that end early, and their results so far. */
import { expect, test } from 'bun:test'
import { Flood } from '../../src/conformance/case-outcome.ts'
import { casesNamed, conform } from '../../src/conformance/conform.ts'
import type { ConformSettings } from '../../src/conformance/conform-settings.ts'
import { runCases } from '../../src/conformance/runner.ts'
import type { TargetTransport, TransportRequest } from '../../src/conformance/target-transport.ts'
import { Traffic } from '../../src/conformance/traffic.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { hurriedClock } from '../fixtures/hurried-clock.ts'
import { memoryTarget } from '../fixtures/memory-probe.ts'

const { target, transport } = await memoryTarget()
const NEVER = new Promise<never>(() => {})
/** The suite against the sandbox in memory, with modified responses. */
async function judged(
  request: TargetTransport['request'],
  settings: Partial<ConformSettings> = {},
) {
  const { full } = target.keys
  return conform({
    baseUrl: 'http://there',
    keys: { full },
    patienceMs: 0,
    only: ['access.coin', 'access.content', 'answer.content', 'answer.coin'],
    transport: { ...transport, request },
    systemClock: hurriedClock(),
    ...settings,
  })
}

/** Answers so many requests normally, and then differently. */
function until(
  count: number,
  then: (sent: TransportRequest) => ReturnType<typeof transport.request>,
) {
  let left = count
  return (sent: TransportRequest) => (left-- > 0 ? transport.request(sent) : then(sent))
}

const broken = async () => {
  throw new UserError('/x is not answered (ECONNREFUSED)')
}

/** A transport's timeout. */
const timedOut = async () => {
  await new Promise((resolve) => setImmediate(resolve))
  throw new UserError('/x is not answered (TimeoutError)')
}

type Answer = (sent: TransportRequest) => ReturnType<typeof transport.request>

const ENDINGS: [how: string, then: Answer][] = [
  ['dies', broken],
  ['hangs', timedOut],
  ['is gone behind its proxy', async () => ({ status: 502, contentType: '', text: 'gone' })],
]

test.each(ENDINGS)(
  'a target that %s midway ends the run, and earlier results are kept',
  async (_, then) => {
    let after = 0
    const report = await judged(
      until(40, (sent) => {
        after++
        return then(sent)
      }),
    )
    expect(report.ended).toBe('the target no longer answers')
    expect(report.counts.failed).toBe(0)
    expect(report.counts.passed).toBeWithin(10, 40)
    const ended = report.results.filter(({ message }) => message.startsWith('the run ended before'))
    expect(ended.length).toBeGreaterThan(5)
    // Requests in flight, once more each, and two liveness checks.
    expect(after).toBeLessThan(25)
  },
)

test('a missing response among others fails', async () => {
  const isRequested = ({ path }: TransportRequest) => path.includes('/content/news-list?')
  const report = await judged((sent) => (isRequested(sent) ? broken() : transport.request(sent)), {
    only: ['answer.content', 'answer.coin'],
  })
  expect(report.ended).toBe(null)
  const failed = report.results.filter(({ verdict }) => verdict === 'failed')
  expect(failed.map(({ id }) => id)).toEqual(['answer.content.newsList.1'])
  expect(failed[0]?.message).toBe('/x is not answered (ECONNREFUSED)')
})

test('a connection broken once is no deviation', async () => {
  const [seen, again] = [new Set<string>(), new Set<string>()]
  const report = await judged((sent) => {
    const place = sent.path.split('?')[0] ?? ''
    if (sent.isAgain) again.add(place)
    if (sent.method !== 'GET' || place.endsWith('/tickers') || seen.has(place))
      return transport.request(sent)
    seen.add(place)
    return broken()
  })
  expect([report.counts.failed, report.ended]).toEqual([0, null])
  expect(report.counts.passed).toBeGreaterThan(30)
  expect([seen.size > 10, again.size]).toEqual([true, seen.size])
})

test('a target that exceeds size limits everywhere ends the run', async () => {
  const floods = async ({ path }: TransportRequest) => {
    throw new Flood(`${path.split('?')[0]}: an answer is longer than 100 bytes`)
  }
  const report = await judged(until(40, floods))
  expect(report.ended).toMatch(
    /^it floods: \S+: an answer is longer than 100 bytes; \S+: .*; \S+: /,
  )
  expect(report.counts.skipped).toBeGreaterThan(report.counts.failed)
  expect(report.counts.passed).toBeGreaterThan(10)
})

test('a target with a daily limit ends the run', async () => {
  const refusal = { status: 429, contentType: '', text: '', retryAfter: '86400' }
  const report = await judged(until(40, async () => refusal))
  expect(report.ended).toBe('it refuses requests as too many, for the next 86400 s')
  expect([report.counts.failed, report.counts.passed > 10]).toEqual([0, true])
})

test('a target that refuses the very first request is reported', async () => {
  const refusal = { status: 429, contentType: '', text: '' }
  await expect(judged(async () => refusal)).rejects.toThrow(
    /^http:\/\/there: the run ended before: it has refused every request as one too many for/,
  )
})

test('a target with 300 requests a minute is judged completely', async () => {
  const systemClock = hurriedClock()
  let [window, taken] = [0, 0]
  const notes: string[] = []
  const left: number[] = []
  const limited = async (sent: TransportRequest) => {
    const now = Math.floor(systemClock.monotonicMs() / 60_000)
    if (now !== window) [window, taken] = [now, 0]
    if (++taken <= 300) return transport.request(sent)
    return { status: 429, contentType: 'application/json', text: '{"code":"429"}' }
  }
  const report = await judged(limited, {
    systemClock,
    only: ['access.'],
    onNote: (note) => notes.push(note),
    onResult: (_, remainingMs) => left.push(remainingMs ?? 0),
  })
  expect([report.counts.failed, report.ended]).toEqual([0, null])
  const unrequested = report.results.filter(({ message }) => /too many|no more/.test(message))
  expect(unrequested).toEqual([])
  expect(notes[0]).toBe('the target refuses requests as too many: they wait')
  expect(Math.max(...left)).toBeWithin(30_000, 30 * 60_000)
  expect(left.at(-1)).toBe(0)
})

test('an interrupted run reports its results, and cases restore their changes', async () => {
  const systemClock = hurriedClock()
  const traffic = new Traffic({ systemClock, isAlive: async () => true })
  const [done, changing, waiting] = ['coin.keys', 'distributor.levels.life', 'coin.lists'].map(
    (id) => casesNamed([id])[0],
  )
  if (!done || !changing || !waiting) throw new Error('no such cases')
  let putBack = false
  const cases = [
    done,
    {
      ...changing,
      run: async (probe: Parameters<typeof changing.run>[0]) => {
        try {
          traffic.end('it was interrupted', 5_000)
          await probe.pause(1_000)
        } finally {
          putBack = (await probe.request({ path: '/coin' })).status === 200
        }
      },
    },
    { ...waiting, exclusive: true as const, run: () => NEVER },
  ]
  const results = await runCases(cases, { target, transport, traffic, systemClock, nonce: 'end' })
  expect(putBack).toBe(true)
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'skipped', 'skipped'])
  expect(results[1]?.message).toBe('the run ended before: it was interrupted')
})

test('waits for turns do not count as time of a case', async () => {
  const systemClock = hurriedClock()
  const traffic = new Traffic({ systemClock, isAlive: async () => true, perMinute: 1 })
  const [one] = casesNamed(['coin.lists'])
  if (!one) throw new Error('no such case')
  const [result] = await runCases([one], {
    target,
    transport,
    traffic,
    systemClock,
    nonce: 'slow',
    caseTimeoutMs: 60_000,
  })
  expect([result?.verdict, result?.message]).toEqual(['passed', ''])
  expect(systemClock.monotonicMs()).toBeGreaterThan(60_000)
})
