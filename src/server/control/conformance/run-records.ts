/** Runs of the suite as the control plane shows them. */
import { Nullable, OneOf, type Static, Type } from '../../../contract/schema.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import type { ConformanceRun } from './conformance-run.ts'

const FailureRecord = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    expected: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
    found: Type.String(),
    evidence: Type.String({ description: 'what differs; empty where `found` says it all' }),
    conversation: Type.Array(
      Type.Object({
        text: Type.String({ description: 'what was asked and answered' }),
        again: Type.String({ description: 'a command that asks it again' }),
      }),
    ),
    again: Type.String({ description: 'a command that runs this case alone' }),
  },
  { title: 'ConformanceFailure' },
)

/** The latest run of each server. */
export const latestRuns = new WeakMap<Registry, ConformanceRun>()

const Looked = Type.Object({ seen: Type.Integer(), total: Type.Integer() })

export const RunRecord = Type.Object(
  {
    state: OneOf(['none', 'running', 'over'], 'whether there was one, and whether it is on'),
    target: Type.String({ description: 'what is looked at' }),
    total: Type.Integer({ description: 'cases' }),
    counts: Type.Object({
      passed: Type.Integer(),
      failed: Type.Integer(),
      skipped: Type.Integer(),
    }),
    elapsedMs: Type.Integer({ description: 'since it was begun, ms of the machine' }),
    remainingMs: Nullable(Type.Integer({ description: 'where requests have to wait' })),
    ended: Nullable(Type.String({ description: 'why it ended before its end' })),
    notes: Type.Array(Type.String()),
    requirements: Nullable(Looked),
    schemas: Nullable(Looked),
    failures: Type.Array(
      Type.Object({ id: Type.String(), title: Type.String(), message: Type.String() }),
    ),
    failure: Nullable(FailureRecord),
  },
  { title: 'ConformanceRun' },
)

const NO_RUN: Static<typeof RunRecord> = {
  state: 'none',
  target: '',
  total: 0,
  counts: { passed: 0, failed: 0, skipped: 0 },
  elapsedMs: 0,
  remainingMs: null,
  ended: null,
  notes: [],
  requirements: null,
  schemas: null,
  failures: [],
  failure: null,
}

/** The latest run as it stands, with one of its failures in full. */
export function runRecord(registry: Registry, id?: string): Static<typeof RunRecord> {
  const run = latestRuns.get(registry)
  if (!run) return NO_RUN
  const { target, total, counts, startedMs, endedMs, remainingMs, ended, notes, report } = run
  const requirements = report?.requirements ?? []
  return {
    state: run.isRunning ? 'running' : 'over',
    target,
    total,
    counts: { passed: counts.passed, failed: counts.failed, skipped: counts.skipped },
    elapsedMs: Math.round((endedMs ?? registry.systemClock.nowMs()) - startedMs),
    remainingMs: remainingMs === null ? null : Math.round(remainingMs),
    ended,
    notes: [...notes],
    requirements: report && {
      seen: requirements.filter(({ looked }) => looked).length,
      total: requirements.length,
    },
    schemas: report && { seen: report.schemas.seen, total: report.schemas.total },
    failures: run.failures.map(({ id, title, message }) => ({ id, title, message })),
    failure: id === undefined ? null : run.failure(id),
  }
}
