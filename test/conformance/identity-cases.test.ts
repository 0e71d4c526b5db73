/** The identities at a target: they hold, a lie is found, and a market that moves is no lie. */
import { expect, test } from 'bun:test'
import { CheckFailure, SkipCase } from '../../src/conformance/case-outcome.ts'
import { IDENTITY_CASES } from '../../src/conformance/groups/identities.ts'
import { type Case, Probe } from '../../src/conformance/probe.ts'
import type { Target } from '../../src/conformance/target.ts'
import type { TargetTransport } from '../../src/conformance/target-transport.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'

const { sandbox, transport, target } = await memoryTarget({ clock: 'held' })
const { control: _, ...alone } = target

let nonce = 0
const signing = {
  nowS: () => Math.floor(futureSigning.nowMs() / 1000),
  nonce: () => `identities-${nonce++}`,
}

/** null where it passes, else why it is skipped or what is wrong. */
async function outcomeOf(one: Case, reached: TargetTransport, to: Target): Promise<Error | null> {
  const probe = new Probe(to, reached, signing, { retries: 1 })
  const thrown = await one.run(probe).then(
    () => null,
    (error) => error,
  )
  probe.close()
  return thrown
}

test('every identity holds at our own sandbox, and each has something to compare', async () => {
  let requests = 0
  const counting: TargetTransport = {
    ...transport,
    request: (sent) => {
      requests++
      return transport.request(sent)
    },
  }
  const unfit: string[] = []
  for (const one of IDENTITY_CASES) {
    const outcome = await outcomeOf(one, counting, alone)
    if (outcome !== null) unfit.push(`${one.id}: ${outcome.message}`)
  }
  expect(unfit).toEqual([])
  expect(requests).toBeLessThan(1200)
})

/** The answers of one path, altered on their way. */
const lying = (path: string, alter: (text: string) => string): TargetTransport => ({
  ...transport,
  request: async (sent) => {
    const answer = await transport.request(sent)
    return sent.path.includes(path) ? { ...answer, text: alter(answer.text) } : answer
  },
})

test.each([
  ['coin.last-price', '/hl/tickers/coin/', /"price":"/g, '"price":"1'],
  ['coin.depth', '/futures/latest-depth', /"length":\d/g, '"length":9'],
  ['address.account', '/hl/traders/accounts', /"perpValue":"-?/g, '"perpValue":"9'],
  ['address.trade-pages', '/completed-trades/by-time', /"total":/g, '"total":1'],
] as const)('%s fails where %s says something else', async (id, path, from, to) => {
  const one = IDENTITY_CASES.find((each) => each.id === `identities.${id}`) as Case
  const outcome = await outcomeOf(
    one,
    lying(path, (text) => text.replaceAll(from, to)),
    alone,
  )
  expect(outcome).toBeInstanceOf(CheckFailure)
  expect(outcome?.message).toMatch(/^\S+: .+ is (equal to|at most) /)
})

test('a market that moves between any two requests is accused of nothing', async () => {
  const moving: TargetTransport = {
    ...transport,
    request: async (sent) => {
      await sandbox.clock.advance(130)
      return transport.request(sent)
    },
  }
  const outcomes: Record<string, string> = {}
  for (const one of IDENTITY_CASES) {
    const outcome = await outcomeOf(one, moving, alone)
    if (outcome !== null && !(outcome instanceof SkipCase)) outcomes[one.id] = outcome.message
  }
  expect(outcomes).toEqual({})
})

test('what a target lacks is skipped with its name', async () => {
  const lacking: TargetTransport = {
    ...transport,
    request: async (sent) =>
      sent.path.includes('/futures/latest-depth')
        ? { status: 404, contentType: 'application/json', text: '{}' }
        : transport.request(sent),
  }
  const one = IDENTITY_CASES.find(({ id }) => id === 'identities.coin.depth') as Case
  const outcome = await outcomeOf(one, lacking, alone)
  expect(outcome).toBeInstanceOf(SkipCase)
  expect(outcome?.message).toBe('the target does not answer futures.latestDepth')
})
