/** Control calls about runs of the conformance suite, and the run itself. */

import type { SystemClock } from '../../../clock/system-clock.ts'
import { awaited } from '../../../clock/turns.ts'
import type { ConformSettings } from '../../../conformance/conform-settings.ts'
import type { Report } from '../../../conformance/report.ts'
import { type Failure, failureOf } from '../../../conformance/reports/failure.ts'
import type { Result } from '../../../conformance/runner.ts'
import { Nullable, OneOf, type Static, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import type { SuiteMessage } from '../conformance-worker.ts'
import { BusyError } from '../control-call.ts'
import { controlOperation } from '../control-operation.ts'
import { type SuiteThread, startSuite } from '../suite.ts'

// Runs of the suite as the control plane shows them.

const FailureRecord = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    expected: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
    found: Type.String(),
    evidence: Type.String({ description: 'what differs; empty where `found` says it all' }),
    conversation: Type.Array(
      Type.Object({
        text: Type.String({ description: 'the requests and responses' }),
        again: Type.String({ description: 'a command that repeats it' }),
      }),
    ),
    again: Type.String({ description: 'a command that runs this case alone' }),
  },
  { title: 'ConformanceFailure' },
)

/** The latest run of each server. */
const latestRuns = new WeakMap<Registry, ConformanceRun>()

const Coverage = Type.Object({ seen: Type.Integer(), total: Type.Integer() })

export const RunRecord = Type.Object(
  {
    state: OneOf(['none', 'running', 'over'], 'state of the latest run'),
    target: Type.String({ description: 'the checked service' }),
    total: Type.Integer({ description: 'cases' }),
    counts: Type.Object({
      passed: Type.Integer(),
      failed: Type.Integer(),
      skipped: Type.Integer(),
    }),
    elapsedMs: Type.Integer({ description: 'since its start, ms of the machine' }),
    remainingMs: Nullable(Type.Integer({ description: 'if requests have to wait' })),
    ended: Nullable(Type.String({ description: 'why it ended early' })),
    notes: Type.Array(Type.String()),
    requirements: Nullable(Coverage),
    schemas: Nullable(Coverage),
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

/** The state of the latest run, with one of its failures in full. */
function runRecord(registry: Registry, id?: string): Static<typeof RunRecord> {
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

const Key = Type.Object(
  { accessKey: Type.String({ minLength: 1 }), secretKey: Type.String({ minLength: 1 }) },
  { title: 'KeyPair', additionalProperties: false },
)

export const conformanceStart = controlOperation({
  id: 'conformance.start',
  method: 'POST',
  path: '/conformance',
  storesNothing: true,
  title: 'Run the conformance suite',
  about:
    'Runs it against a target with its keys. Without a target, makes a sandbox on this server ' +
    'for the run and drops it afterwards. One run at a time. The call answers at once; read ' +
    'the progress with `GET`.',
  params: {
    body: Type.Object({
      target: Type.Optional(
        Type.String({ pattern: '^https?://', 'x-form': 'a URL', description: 'its base URL' }),
      ),
      keys: Type.Optional(
        Type.Object(
          { full: Key, partner: Type.Optional(Key), sub: Type.Optional(Key) },
          { additionalProperties: false, description: 'keys of the target; at least `full`' },
        ),
      ),
      only: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          maxItems: 100,
          description: 'only cases whose id begins with this; all by default',
        }),
      ),
      ratePerMinute: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'maximum requests a minute' }),
      ),
    }),
  },
  examples: [{ name: 'a few cases', body: { only: ['authentication'] } }],
  data: RunRecord,
  *answer({ body }, { registry, origin, token }) {
    if (latestRuns.get(registry)?.isRunning)
      throw new BusyError('a run is in progress: stop it with DELETE, or wait until it ends')
    const { target, keys, only, ratePerMinute } = body
    if ((target === undefined) !== (keys === undefined))
      throw new UserError('send both target and keys, or neither to check this server')
    const place =
      target === undefined || keys === undefined
        ? { controlUrl: `${origin}/_control`, controlToken: token }
        : { baseUrl: target, keys }
    const settings = {
      ...place,
      ...(only === undefined ? {} : { only }),
      ...(ratePerMinute === undefined ? {} : { ratePerMinute }),
    }
    const before = latestRuns.get(registry)
    const run = new ConformanceRun(target ?? 'this server', settings, registry.systemClock)
    latestRuns.set(registry, run)
    try {
      yield* awaited(run.begun)
    } catch (error) {
      // One that could not begin replaces no earlier one.
      if (before) latestRuns.set(registry, before)
      else latestRuns.delete(registry)
      throw error
    }
    return runRecord(registry)
  },
})

export const conformanceGet = controlOperation({
  id: 'conformance.get',
  method: 'GET',
  path: '/conformance',
  title: 'The state of the latest run of the suite',
  params: {
    query: Type.Object({
      case: Type.Optional(Type.String({ description: 'a failed case, to be returned in full' })),
    }),
  },
  data: RunRecord,
  answer: ({ query }, { registry }) => runRecord(registry, query.case),
})

export const conformanceStop = controlOperation({
  id: 'conformance.stop',
  method: 'DELETE',
  path: '/conformance',
  storesNothing: true,
  title: 'Stop the run of the suite',
  about: 'Its results so far are kept. Without a run, the call does nothing.',
  data: RunRecord,
  answer(_, { registry }) {
    latestRuns.get(registry)?.stop()
    return runRecord(registry)
  },
})

// A run of the conformance suite on the server, controlled by calls.

/** Maximum number of kept failures. */
const FAILURES_MAX = 500

class ConformanceRun {
  readonly counts = { passed: 0, failed: 0, skipped: 0 }
  readonly notes: string[] = []
  readonly failures: Result[] = []
  total = 0
  readonly startedMs: number
  endedMs: number | null = null
  /** Why it ended early, or could not begin; null otherwise. */
  ended: string | null = null
  remainingMs: number | null = null
  /** The report of an ended run. */
  report: Report | null = null
  /** Resolves when its cases are known; a UserError when none match. */
  readonly begun: Promise<void>
  private readonly thread: SuiteThread

  /** @param target shown name of the target */
  constructor(
    readonly target: string,
    settings: ConformSettings,
    private readonly systemClock: SystemClock,
  ) {
    this.startedMs = systemClock.nowMs()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.begun = promise
    const thread = startSuite(settings, (message) => {
      if ('total' in message) {
        this.total = message.total
        resolve()
      } else if ('failed' in message) {
        const { failed, isOurFault } = message
        reject(isOurFault ? new Error(failed) : new UserError(failed))
        this.end(isOurFault ? `an internal error, please report it: ${failed}` : failed, null)
      } else this.receive(message)
    })
    if (!thread) throw new UserError('this server has no suite: run `tapewright conform`')
    this.thread = thread
  }

  get isRunning(): boolean {
    return this.endedMs === null
  }

  stop(): void {
    if (this.isRunning) this.thread.stop()
  }

  /** A failure in full; null for a case that has not failed. */
  failure(id: string): Failure | null {
    const result = this.failures.find((one) => one.id === id)
    if (!result) return null
    const { requirements = [], command = 'tapewright conform' } = this.report ?? {}
    return failureOf({ requirements, command } as unknown as Report, result)
  }

  private receive(message: Exclude<SuiteMessage, { total: number } | { failed: string }>): void {
    if ('note' in message) this.notes.push(message.note)
    else if ('report' in message) this.end(message.report.ended, message.report)
    else {
      const { verdict, remainingMs, failure } = message
      this.counts[verdict]++
      this.remainingMs = remainingMs
      if (failure && this.failures.length < FAILURES_MAX) this.failures.push(failure)
    }
  }

  private end(why: string | null, report: Report | null): void {
    this.ended = why
    this.report = report
    this.remainingMs = null
    this.endedMs = this.systemClock.nowMs()
  }
}
