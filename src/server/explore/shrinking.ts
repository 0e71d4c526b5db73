/** Makes a failing plan smaller, as long as it goes on to fail in the same way. */

import { fieldSpanMs } from '../../contract/fields/field-check.ts'
import type { Failure } from './judges.ts'
import { type Action, beginMs, endMs, type Plan, spanOf } from './plan.ts'
import type { Run } from './run.ts'

/** The smallest plan that was found, and its run. */
export interface Shrunk {
  plan: Plan
  run: Run
  failure: Failure
  /** How often the plan as it was found failed in the same way: the first run included. */
  rate: { failed: number; of: number }
  /** Runs that it took, besides the first. */
  runs: number
}

/** Maximum number of runs, and of runs of one candidate. */
export const SHRINK_RUNS = 60
const REPEATS_MAX = 5
/** Runs of the original plan that measure its rate. */
const RATE_RUNS = 2
/** A candidate of a failure by chance is dismissed wrongly at most this often. */
const MISSED = 0.05

/** Shrinks a plan whose run has failed; `run` carries out a candidate. */
export async function shrink(
  first: Run,
  failure: Failure,
  run: (plan: Plan) => Promise<Run>,
  runsMax = SHRINK_RUNS,
): Promise<Shrunk> {
  const shrinking = new Shrinking(first, failure, run, runsMax)
  await shrinking.measureRate()
  await shrinking.truncate()
  await shrinking.dropActions()
  await shrinking.simplify()
  await shrinking.cutLength()
  return shrinking.result
}

class Shrinking {
  result: Shrunk
  private repeats = 1

  constructor(
    first: Run,
    private readonly wanted: Failure,
    private readonly run: (plan: Plan) => Promise<Run>,
    private readonly runsMax: number,
  ) {
    const rate = { failed: 1, of: 1 }
    this.result = { plan: first.plan, run: first, failure: wanted, rate, runs: 0 }
  }

  async measureRate(): Promise<void> {
    const { plan, rate } = this.result
    const count = Math.min(RATE_RUNS, this.runsMax)
    const again = await Promise.all(Array.from({ length: count }, () => this.failsOnce(plan)))
    rate.of += count
    rate.failed += again.filter(Boolean).length
    const share = rate.failed / rate.of
    const needed = share === 1 ? 1 : Math.ceil(Math.log(MISSED) / Math.log(1 - share))
    this.repeats = Math.min(REPEATS_MAX, needed)
  }

  /** Drops what was carried out after the failure, and ends the plan soon after it. */
  async truncate(): Promise<void> {
    const { plan, run, failure } = this.result
    const before = run.carriedOut.filter(({ atMs }) => atMs <= failure.atMs)
    const numbers = new Set(before.map(({ number }) => number))
    const actions = plan.actions.filter((_, number) => numbers.has(number))
    if (actions.length < plan.actions.length) await this.tryPlan({ ...plan, actions })
    await this.cutLength()
  }

  /** Removes actions, in large groups first, until none can go. */
  async dropActions(): Promise<void> {
    let size = Math.ceil(this.result.plan.actions.length / 2)
    while (size >= 1) {
      let hasShrunk = false
      for (let at = 0; at < this.result.plan.actions.length; ) {
        const { actions } = this.result.plan
        const left = [...actions.slice(0, at), ...actions.slice(at + size)]
        if (await this.tryPlan({ ...this.result.plan, actions: left })) hasShrunk = true
        else at += size
      }
      // Others may be needless once one is gone.
      if (size === 1 && !hasShrunk) return
      size = size === 1 ? 1 : Math.floor(size / 2)
    }
  }

  /** Simplifies each action that is left: all of the traffic, and a shorter time. */
  async simplify(): Promise<void> {
    for (let at = 0; at < this.result.plan.actions.length; at++) {
      const replaced = (action: Action): Plan => ({
        ...this.result.plan,
        actions: this.result.plan.actions.with(at, action),
      })
      const { on, ...everywhere } = this.action(at)
      if (on?.coin !== undefined || on?.everyNth !== undefined) {
        const { coin, everyNth, ...rest } = on
        await this.tryPlan(replaced({ ...everywhere, on: rest } as Action))
      }
      for (let halvings = 0; halvings < HALVINGS_MAX; halvings++) {
        const action = this.action(at)
        const shorter = halved(action.for)
        if (shorter === null || !(await this.tryPlan(replaced({ ...action, for: shorter })))) break
      }
    }
  }

  /** Ends the plan soon after its last action. */
  async cutLength(): Promise<void> {
    const { plan } = this.result
    const lastMs = Math.max(
      0,
      ...plan.actions.map((one) => Math.max(beginMs(one), endMs(one, plan))),
    )
    const lengthMs = 1000 * Math.ceil((lastMs + AFTER_MS) / 1000)
    if (lengthMs < plan.lengthMs) await this.tryPlan({ ...plan, lengthMs })
  }

  private action(at: number): Action {
    return this.result.plan.actions[at] as Action
  }

  /** Keeps a candidate that fails in the same way within its repeats. */
  private async tryPlan(plan: Plan): Promise<boolean> {
    for (let left = this.repeats; left > 0 && this.result.runs < this.runsMax; left--)
      if (await this.failsOnce(plan)) return true
    return false
  }

  private async failsOnce(plan: Plan): Promise<boolean> {
    this.result.runs++
    const run = await this.run(plan)
    const failure = run.failures.find(({ judge }) => judge === this.wanted.judge)
    if (failure === undefined) return false
    this.result = { ...this.result, plan, run, failure }
    return true
  }
}

const HALVINGS_MAX = 3
const LEAST_MS = 500
/** Time after the last action that a plan keeps. */
const AFTER_MS = 2_000

/** Half of a span, in whole tenths of a second; null where it is short enough. */
function halved(span: string | undefined): string | null {
  if (span === undefined) return null
  const halfMs = Math.ceil(fieldSpanMs(span) / 200) * 100
  return halfMs < LEAST_MS || halfMs >= fieldSpanMs(span) ? null : spanOf(halfMs)
}
