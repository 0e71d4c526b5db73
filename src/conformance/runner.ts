/** Runs cases against a target: each bounded in time, those that disturb others by themselves. */
import type { SystemClock } from '../clock/system-clock.ts'
import { deferred } from '../platform/deferred.ts'
import type { Case } from './case.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import { Probe, type ProbeExchange } from './probe.ts'
import type { SchemaCoverage } from './schema-coverage.ts'
import { missingNeed, type Target } from './target.ts'
import type { TargetTransport } from './target-transport.ts'

export type Verdict = 'passed' | 'failed' | 'skipped'

/** What became of a case. */
export interface Result {
  id: string
  title: string
  checks: readonly string[]
  verdict: Verdict
  /** What does not hold, or why it was not looked at; empty when it passed. */
  message: string
  evidence?: unknown
  /** Whether it was told anything that could have shown the target to be wrong. */
  looked: boolean
  /** The last things asked and answered. */
  exchanges: readonly ProbeExchange[]
  durationMs: number
}

export interface RunSettings {
  target: Target
  transport: TargetTransport
  systemClock: SystemClock
  /** What nonces begin with; differs from run to run. */
  nonce: string
  /** Longest time for one case, ms (60 000). */
  caseTimeoutMs?: number
  /** Cases at a time (8). */
  width?: number
  /** Notes what of the schemas is seen. */
  coverage?: SchemaCoverage
  /** Told of each case as it ends. */
  onResult?: (result: Result) => void
}

/** Runs all cases; results are in the order of the cases. */
export async function runCases(cases: readonly Case[], settings: RunSettings): Promise<Result[]> {
  const results = new Map<Case, Result>()
  const one = async (which: Case) => {
    const result = await runCase(which, settings)
    results.set(which, result)
    settings.onResult?.(result)
  }
  // Whoever moves the target's time makes the signatures of others older.
  const isAlone = ({ exclusive, needs }: Case) =>
    exclusive === true || needs?.includes('control') === true
  const waiting = cases.filter((which) => !isAlone(which))
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await one(next)
  }
  await Promise.all(Array.from({ length: settings.width ?? 8 }, worker))
  for (const which of cases) if (isAlone(which)) await one(which)
  return cases.map((which) => results.get(which) as Result)
}

let count = 0

async function runCase(which: Case, settings: RunSettings): Promise<Result> {
  const { target, transport, systemClock } = settings
  const { id, title, checks } = which
  const startMs = systemClock.monotonicMs()
  const signing = {
    nowS: () => Math.floor(systemClock.nowMs() / 1000),
    nonce: () => `${settings.nonce}-${count++}`,
    wait: (ms: number) => new Promise<void>((resolve) => void systemClock.startTimer(ms, resolve)),
  }
  const probe = new Probe(target, transport, signing, settings.coverage?.listener)
  const outcome = await judge(which, probe, settings)
  probe.close()
  const durationMs = systemClock.monotonicMs() - startMs
  return { id, title, checks, ...outcome, exchanges: probe.exchanges.slice(-3), durationMs }
}

const VACUOUS = 'nothing was answered that could have shown the target to be wrong'

async function judge(
  which: Case,
  probe: Probe,
  { target, systemClock, caseTimeoutMs = 60_000 }: RunSettings,
): Promise<Pick<Result, 'verdict' | 'message' | 'evidence' | 'looked'>> {
  const lacks = missingNeed(which.needs ?? [], target)
  if (lacks !== null) return { verdict: 'skipped', message: lacks, looked: false }
  const late = deferred<never>()
  const cancel = systemClock.startTimer(caseTimeoutMs, () =>
    late.reject(new CheckFailure(`nothing came of it in ${caseTimeoutMs} ms`)),
  )
  try {
    await Promise.race([which.run(probe), late.promise])
    if (probe.evidence === 'nothing') return { verdict: 'skipped', message: VACUOUS, looked: false }
    return { verdict: 'passed', message: '', looked: true }
  } catch (error) {
    if (error instanceof SkipCase)
      return { verdict: 'skipped', message: error.message, looked: false }
    const { message, evidence } = error as CheckFailure
    const looked = probe.evidence === 'values'
    return { verdict: 'failed', message, looked, ...(evidence === undefined ? {} : { evidence }) }
  } finally {
    cancel()
  }
}
