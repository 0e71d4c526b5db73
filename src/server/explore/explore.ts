/** `explore` for tests in TypeScript: a function is explored, and fails the test it is in. */

import { hostClock } from '../../clock/system-clock.ts'
import type { CreateSandboxOptions, SandboxHandle } from '../embedding/create-sandbox.ts'
import { type ExploreContext, functionClient } from './clients.ts'
import { Corpus } from './corpus.ts'
import { type Exploration, explored } from './exploration.ts'
import { JUDGE_IDS } from './judges.ts'
import type { Level } from './plan.ts'
import { parsePlan, planText } from './plan.ts'
import { reportText, writeResult } from './result-folder.ts'
import type { RunSettings } from './run.ts'
import { SHRINK_RUNS } from './shrinking.ts'

/** What is explored; every field has a default. */
export interface ExploreOptions {
  /** Number of runs after the calm one (100). */
  runs?: number
  /** Seed of the first run; each further one has the next (1). */
  seed?: number
  /** How severe the trouble is (`stormy`). */
  level?: Level
  /** Length of drawn plans, session time, ms (45 000). */
  lengthMs?: number
  /** Coins that the trouble is about; any by default. */
  coins?: readonly string[]
  /** `held` (default): time is moved as fast as the function keeps up. */
  clock?: 'held' | 'running'
  /** Text of a `plan.yaml`, to be carried out instead of drawn plans. */
  plan?: string
  /** Runs at the same time (4). */
  parallel?: number
  /** Longest time in which the function may end after its plan, ms of the machine (30 000). */
  timeLimitMs?: number
  /** Judges to switch off, such as `pace` or `claim`. */
  without?: readonly string[]
  /** File of what earlier explorations have reached: it guides this one, and is added to. */
  corpus?: string
  /** Maximum number of runs to shrink a failure (60). */
  shrinkRuns?: number
  /** Options of the sandboxes. */
  sandbox?: CreateSandboxOptions
  /** Folder for the files of a failure; none by default. */
  out?: string
}

/** A client does not survive; the message has the seed, the smallest plan, and how to run it. */
export class ExploreError extends Error {
  override readonly name = 'ExploreError'

  /** @param plan the smallest plan, as the text of a `plan.yaml` */
  constructor(
    message: string,
    readonly plan: string,
    readonly judge: string,
  ) {
    super(message)
  }
}

/** The settings that runs have when nothing else is given. */
export const DEFAULTS = {
  runs: 100,
  seed: 1,
  level: 'stormy',
  lengthMs: 45_000,
  parallel: 4,
  timeLimitMs: 30_000,
  quietMs: 12,
  patienceMs: 400,
} as const

export type Explored = Pick<Exploration, 'runs' | 'reached'>

/**
 * Explores a function: a sandbox and a plan for each seed. Rejects with an ExploreError for the
 * first run that fails, and with a UserError where it fails without any trouble.
 */
export const exploreWith =
  (createSandbox: (options: CreateSandboxOptions) => Promise<SandboxHandle>) =>
  async (
    body: (context: ExploreContext) => unknown,
    options: ExploreOptions = {},
  ): Promise<Explored> => {
    const { plan: text, runs = DEFAULTS.runs, seed = DEFAULTS.seed, out } = options
    const plan = text === undefined ? null : parsePlan('plan', text)
    const { found, ...rest } = await explored(
      functionClient(body),
      {
        runs: plan === null ? runs : 1,
        forMs: null,
        seed,
        level: options.level ?? DEFAULTS.level,
        lengthMs: options.lengthMs ?? DEFAULTS.lengthMs,
        coins: options.coins ?? [],
        parallel: options.parallel ?? DEFAULTS.parallel,
        plan,
        corpus: options.corpus === undefined ? null : Corpus.open(options.corpus),
        shrinkRuns: options.shrinkRuns ?? SHRINK_RUNS,
      },
      settingsOf(options, createSandbox),
    )
    if (found === null) return { runs: rest.runs, reached: rest.reached }
    if (out !== undefined) writeResult(out, found, null)
    const file = planText(found.plan)
    const { seed: from } = found.plan
    const again = `run it again: explore(…, { plan }) with this plan, or { seed: ${from} }`
    throw new ExploreError(`${reportText(found)}\n${again}\n\n${file}`, file, found.failure.judge)
  }

function settingsOf(
  {
    clock = 'held',
    timeLimitMs = DEFAULTS.timeLimitMs,
    without = [],
    sandbox = {},
  }: ExploreOptions,
  createSandbox: RunSettings['createSandbox'],
): RunSettings {
  const unknown = without.find((id) => !JUDGE_IDS.includes(id))
  if (unknown !== undefined)
    throw new TypeError(
      `without: there is no judge "${unknown}"; there are ${JUDGE_IDS.join(', ')}`,
    )
  return {
    clock,
    speed: 1,
    quietMs: DEFAULTS.quietMs,
    patienceMs: DEFAULTS.patienceMs,
    timeLimitMs,
    without: new Set(without),
    sandbox,
    createSandbox,
    systemClock: hostClock,
  }
}
