/** An exploration: a calm run first, then a run for each seed, until one fails. */

import { UserError } from '../../platform/user-error.ts'
import type { Corpus } from './corpus.ts'
import { type Baseline, type Failure, failureText } from './judges.ts'
import type { Level, Plan, PlanWorld } from './plan.ts'
import { drawPlan, varyPlan } from './plan-drawing.ts'
import { calmPlan, type ExploredClient, type Run, type RunSettings, runPlan } from './run.ts'
import { type Shrunk, shrink } from './shrinking.ts'

/** What is explored, and for how long. */
export interface ExplorationOptions {
  /** Number of runs after the calm one. */
  runs: number
  /** No run begins after this machine time, ms; null for no bound. */
  forMs: number | null
  /** Seed of the first run; each further one has the next. */
  seed: number
  level: Level
  lengthMs: number
  coins: readonly string[]
  /** Runs at the same time. */
  parallel: number
  /** The only plan to carry out, instead of drawn ones; null to draw them. */
  plan: Plan | null
  /** What earlier explorations have reached, which is added to; null for none. */
  corpus?: Corpus | null | undefined
  /** Maximum number of runs to shrink a failure; 0 leaves it as it was found. */
  shrinkRuns: number
  onRun?: ((run: Run, done: number) => void) | undefined
  onFailure?: ((run: Run, failure: Failure) => void) | undefined
}

/** What an exploration has found. */
export interface Exploration {
  /** Runs after the calm one. */
  runs: number
  calm: Baseline
  /** The smallest plan of the first failure; null when every run passed. */
  found: Shrunk | null
  /** Actions that were carried out, by kind or name of the fault. */
  reached: ReadonlyMap<string, number>
}

/** Explores a client; a UserError where it fails without any trouble, with the reason. */
export async function explored(
  client: ExploredClient,
  options: ExplorationOptions,
  settings: RunSettings,
): Promise<Exploration> {
  const { systemClock } = settings
  const lengthMs = options.plan?.lengthMs ?? options.lengthMs
  const calm = await runPlan(calmPlan(lengthMs), client, settings, null)
  checkCalm(calm, client.name, settings)
  const baseline = calm.baseline
  const world = await worldOf(settings)
  const endsMs = systemClock.monotonicMs() + (options.forMs ?? Number.POSITIVE_INFINITY)
  const reached = new Map<string, number>()
  const run = (plan: Plan) => runPlan(plan, client, settings, baseline)
  const { corpus } = options
  // With a corpus an exploration goes on after the last seed of the one before.
  const firstSeed = Math.max(options.seed, corpus?.nextSeed ?? 0)
  const planAt = (at: number) => options.plan ?? guidedPlan(options, firstSeed + at, world)
  corpus?.add(calm)
  let done = 0
  while (done < options.runs && systemClock.monotonicMs() < endsMs) {
    if (settings.signal?.aborted) break
    const count = Math.min(options.parallel, options.runs - done)
    const batch = await Promise.all(
      Array.from({ length: count }, (_, index) => run(planAt(done + index))),
    )
    for (const one of batch) {
      if (settings.signal?.aborted) break
      done++
      countReached(one, reached)
      if (corpus?.add(one)) corpus.save()
      options.onRun?.(one, done)
      const [failure] = one.failures
      if (failure === undefined) continue
      options.onFailure?.(one, failure)
      corpus?.save()
      const found = await shrink(one, failure, run, options.shrinkRuns)
      return { runs: done, calm: baseline, found, reached }
    }
  }
  corpus?.save()
  return { runs: done, calm: baseline, found: null, reached }
}

/** A drawn plan; every second one is a variation of a kept plan, where there is one. */
function guidedPlan(options: ExplorationOptions, seed: number, world: PlanWorld): Plan {
  const kept = options.corpus?.plansOf(options.lengthMs) ?? []
  const one = seed % 2 === 1 ? undefined : kept[(seed >> 1) % kept.length]
  const drawing = { ...options, seed }
  return one === undefined ? drawPlan(drawing, world) : varyPlan(drawing, world, one)
}

/** The market that plans are drawn for. */
async function worldOf({ createSandbox, sandbox }: RunSettings) {
  const made = await createSandbox({ ...sandbox, coverage: undefined, clock: 'held' })
  try {
    const { coins } = await made.control.cast()
    // Names of pairs and of other dexes are not coins that rules of feeds are about.
    const named = coins.filter((one) => /^\w+$/.test(one))
    return { id: (await made.control.get()).world, coins: named }
  } finally {
    await made.close()
  }
}

function countReached({ carriedOut }: Run, reached: Map<string, number>): void {
  for (const { action, refused } of carriedOut) {
    if (refused !== null) continue
    const name = reachedName(action)
    reached.set(name, (reached.get(name) ?? 0) + 1)
  }
}

const reachedName = ({ fault, ...others }: Run['plan']['actions'][number]): string => {
  if (typeof fault === 'string') return fault
  if (fault !== undefined) return Object.keys(fault as object)[0] ?? ''
  const { market } = others as { market?: { kind?: string } }
  if (market !== undefined) return `market ${market.kind}`
  return ['key', 'questions', 'jump', 'seek', 'speed'].find((kind) => kind in others) ?? ''
}

/** Throws a UserError for a client that does not pass a run without trouble. */
function checkCalm(calm: Run, name: string, { timeLimitMs }: RunSettings): void {
  const { failed, output } = calm.ending
  const hasConnected = calm.journal.some(({ kind }) => kind === 'request' || kind === 'socket')
  const printed = output.trim() === '' ? '' : `; its last output: ${output.trim().slice(-500)}`
  if (failed?.startsWith('it cannot be run'))
    throw new UserError(`${name}: ${failed}: give a program that is on the PATH, or its path`)
  if (!hasConnected) {
    const how = calm.baseline.endsItself
      ? `ended at once, without a request or a socket (${failed ?? 'code 0'})`
      : `has sent no request and opened no socket within ${timeLimitMs / 1000} s`
    throw new UserError(
      `${name} ${how}: it has to use TAPEWRIGHT_BASE_URL, TAPEWRIGHT_WS_BASE_URL, ` +
        `TAPEWRIGHT_ACCESS_KEY and TAPEWRIGHT_SECRET_KEY${printed}`,
    )
  }
  if (calm.isLate)
    throw new UserError(
      `${name} hangs: it did not end within ${timeLimitMs / 1000} s after it was stopped, ` +
        `without any trouble${printed}`,
    )
  const [failure] = calm.failures
  if (failure === undefined) return
  throw new UserError(
    `${name} fails without any trouble, so nothing can be found: ${failureText(failure)}` +
      (['exit', 'hang'].includes(failure.judge)
        ? ''
        : `; mend it first, or switch the judge off: ${failure.judge}`),
  )
}
