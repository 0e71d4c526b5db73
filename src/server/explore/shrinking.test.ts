import { expect, test } from 'bun:test'
import type { Failure } from './judges.ts'
import { type Action, actionText, beginMs, type Plan } from './plan.ts'
import type { Run } from './run.ts'
import { shrink } from './shrinking.ts'

const FAILURE: Failure = { judge: 'exit', text: 'it failed', atMs: 20_000, seq: null }

/** A run whose client fails where `fails` says so. */
const runOf = (plan: Plan, hasFailed: boolean): Run => {
  const carriedOut = plan.actions.map((action, number) => {
    return { number, action, atMs: beginMs(action) }
  })
  return { plan, carriedOut, failures: hasFailed ? [FAILURE] : [] } as unknown as Run
}

const plan = (...actions: Action[]): Plan => ({ world: null, lengthMs: 45_000, actions })
const jump = (at: number): Action => ({ at: `${at}s`, jump: '5s' })
const DISCONNECT: Action = {
  at: '7s',
  for: '8s',
  fault: 'silence',
  on: { channel: 'l2Book', coin: 'BTC' },
}
const MANY = [1, 2, 3, 4, 5, 6].map(jump)

test('everything that is not needed goes, and what is left is simpler and shorter', async () => {
  const first = plan(...MANY, DISCONNECT, jump(9), jump(30))
  const isFailing = ({ actions }: Plan) =>
    actions.some(({ fault }) => fault === 'silence') && actions.some(({ at }) => at === '9s')
  const shrunk = await shrink(runOf(first, true), FAILURE, async (one) =>
    runOf(one, isFailing(one)),
  )
  expect(shrunk.plan.actions).toEqual([
    { at: '7s', for: '1s', fault: 'silence', on: { channel: 'l2Book' } },
    jump(9),
  ])
  expect(shrunk.plan.lengthMs).toBe(11_000)
  expect(shrunk.rate).toEqual({ failed: 3, of: 3 })
  expect(shrunk.runs).toBeLessThanOrEqual(40)
})

test('a failure by chance is tried several times, and its rate is reported', async () => {
  let count = 0
  const shrunk = await shrink(runOf(plan(...MANY), true), FAILURE, async (one) =>
    runOf(one, one.actions.some(({ at }) => at === '4s') && ++count % 2 === 0),
  )
  expect(shrunk.plan.actions.map(actionText)).toEqual(['jump 5s'])
  expect(shrunk.rate).toEqual({ failed: 2, of: 3 })
})

test('another failure does not count, and the number of runs is bounded', async () => {
  const other = { ...FAILURE, judge: 'hang' }
  const run = async (one: Plan) => ({ ...runOf(one, true), failures: [other] })
  const shrunk = await shrink(runOf(plan(...MANY), true), FAILURE, run, 10)
  expect(shrunk.plan.actions).toEqual(MANY)
  expect(shrunk.runs).toBe(10)
})
