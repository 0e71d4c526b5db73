/** Runs cases against a target: each bounded in time, those that disturb others by themselves. */
import type { Machine } from '../clock/machine.ts'
import type { Carrier } from './carrier.ts'
import type { Case } from './case.ts'
import type { Coverage } from './coverage.ts'
import { type Exchange, Finding, Probe, Skip } from './probe.ts'
import { lacking, type Target } from './target.ts'

export type Verdict = 'held' | 'failed' | 'skipped'

/** What became of a case. */
export interface Result {
  id: string
  title: string
  checks: readonly string[]
  verdict: Verdict
  /** What does not hold, or why it was not looked at; empty when it held. */
  says: string
  evidence?: unknown
  /** The last things asked and answered. */
  exchanges: readonly Exchange[]
  durationMs: number
}

export interface RunSettings {
  target: Target
  carrier: Carrier
  by: Machine
  /** What nonces begin with; differs from run to run. */
  nonce: string
  /** Longest time for one case, ms (60 000). */
  caseMs?: number
  /** Cases at a time (8). */
  width?: number
  /** Notes what of the schemas is seen. */
  coverage?: Coverage
  /** Told of each case as it ends. */
  ended?: (result: Result) => void
}

/** Runs all cases; results are in the order of the cases. */
export async function runCases(cases: readonly Case[], settings: RunSettings): Promise<Result[]> {
  const results = new Map<Case, Result>()
  const one = async (which: Case) => {
    const result = await runCase(which, settings)
    results.set(which, result)
    settings.ended?.(result)
  }
  // Whoever moves the target's time makes the signatures of others older.
  const isAlone = ({ alone, needs }: Case) => alone === true || needs?.includes('control') === true
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
  const { target, carrier, by } = settings
  const { id, title, checks } = which
  const startMs = by.monotonicMs()
  const pen = {
    nowS: () => Math.floor(by.nowMs() / 1000),
    nonce: () => `${settings.nonce}-${count++}`,
    wait: (ms: number) => new Promise<void>((resolve) => void by.timer(ms, resolve)),
  }
  const probe = new Probe(target, carrier, pen, (name, schema, data) =>
    settings.coverage?.see(name, schema, data),
  )
  const told = await judged(which, probe, settings)
  probe.close()
  const durationMs = by.monotonicMs() - startMs
  return { id, title, checks, ...told, exchanges: probe.exchanges.slice(-3), durationMs }
}

async function judged(
  which: Case,
  probe: Probe,
  { target, by, caseMs = 60_000 }: RunSettings,
): Promise<Pick<Result, 'verdict' | 'says' | 'evidence'>> {
  const lacks = lacking(which.needs ?? [], target)
  if (lacks !== null) return { verdict: 'skipped', says: lacks }
  const late = Promise.withResolvers<never>()
  const cancel = by.timer(caseMs, () =>
    late.reject(new Finding(`nothing came of it in ${caseMs} ms`)),
  )
  try {
    await Promise.race([which.run(probe), late.promise])
    return { verdict: 'held', says: '' }
  } catch (error) {
    if (error instanceof Skip) return { verdict: 'skipped', says: error.message }
    const { message, evidence } = error as Finding
    return { verdict: 'failed', says: message, ...(evidence === undefined ? {} : { evidence }) }
  } finally {
    cancel()
  }
}
