/** The whole suite in one call, against a service or against a sandbox made for it. */
import { hostClock } from '../clock/system-clock.ts'
import { UserError } from '../user-error.ts'
import type { Case } from './case.ts'
import { HAND_WRITTEN_CASES } from './cases.ts'
import { DERIVED_CASES } from './derived.ts'
import { httpTransport } from './http-transport.ts'
import { Probe } from './probe.ts'
import { type Report, reportOf } from './report.ts'
import { type Result, runCases } from './runner.ts'
import { SchemaCoverage } from './schema-coverage.ts'
import type { Target, TargetPlace } from './target.ts'
import { checkTarget } from './target-check.ts'
import type { TargetTransport } from './target-transport.ts'
import { temporarySandbox } from './temporary-sandbox.ts'

export interface ConformSettings {
  /** Where the service is, or the base URL of a sandbox. */
  baseUrl?: string
  /** Keys there; cases that need one that is not given are skipped. */
  keys?: Target['keys']
  /** An invite token that may be used up. */
  inviteToken?: string
  /**
   * In place of all these: the control plane of a stand-in, `http://127.0.0.1:4010/_control`, where
   * a sandbox is made, checked and dropped.
   */
  controlUrl?: string
  /** Cases whose id begins so; all when left out. */
  only?: readonly string[]
  /** Longest wait for something to happen by itself, ms (5000). */
  patienceMs?: number
  /** Told of each case as it ends. */
  onResult?: (result: Result) => void
  /** Carries requests and sockets; HTTP and WebSocket when left out. */
  transport?: TargetTransport
}

/** Runs the suite; a UserError says why nothing can be judged. */
export async function conform(settings: ConformSettings): Promise<Report> {
  const cases = casesNamed(settings.only ?? [])
  return withTarget(settings, (place) => judge(place, cases, settings.onResult))
}

/** A target that answers, where it is, and how it is reached. */
export interface JudgedPlace extends TargetPlace {
  base: string
}

/** Cases whose id begins with one of these, all without any; a UserError when there is none. */
export function casesNamed(only: readonly string[]): Case[] {
  const cases = [...HAND_WRITTEN_CASES, ...DERIVED_CASES].filter(
    ({ id }) => only.length === 0 || only.some((start) => id.startsWith(start)),
  )
  if (cases.length === 0) throw new UserError(`no case begins with ${only.join(' or ')}`)
  return cases
}

/** Does something with the target once it answers, and drops what was made for it afterwards. */
export async function withTarget<T>(
  settings: Omit<ConformSettings, 'only' | 'onResult'>,
  work: (place: JudgedPlace) => Promise<T>,
): Promise<T> {
  const { controlUrl, patienceMs = 5000 } = settings
  const own = controlUrl === undefined ? null : await temporarySandbox(controlUrl, patienceMs)
  try {
    const { base, target } = own ?? given(settings, patienceMs)
    const transport = settings.transport ?? httpTransport(base)
    await checkTarget(new Probe(target, transport, signing(nonceOfNow('first'))), base)
    return await work({ base, target, transport })
  } finally {
    await own?.drop()
  }
}

/** Runs cases against it. */
export async function judge(
  { base, target, transport }: JudgedPlace,
  cases: Case[],
  onResult?: (result: Result) => void,
): Promise<Report> {
  const coverage = new SchemaCoverage()
  const results = await runCases(cases, {
    target,
    transport,
    systemClock: hostClock,
    nonce: nonceOfNow('case'),
    caseTimeoutMs: 60_000 + 4 * target.patienceMs,
    coverage,
    ...(onResult === undefined ? {} : { onResult }),
  })
  return reportOf(base, results, coverage)
}

/** What a probe signs with: the machine's time, and nonces that begin so. */
export function signing(start: string) {
  let count = 0
  return {
    nowS: () => Math.floor(hostClock.nowMs() / 1000),
    nonce: () => `${start}-${count++}`,
  }
}

const nonceOfNow = (what: string) => `conform-${what}-${hostClock.nowMs().toString(36)}`

function given({ baseUrl, keys, inviteToken }: ConformSettings, patienceMs: number) {
  if (baseUrl === undefined || keys === undefined)
    throw new UserError('conform needs baseUrl and keys, or controlUrl')
  const target: Target = { keys, patienceMs, ...(inviteToken === undefined ? {} : { inviteToken }) }
  return { base: baseUrl, target }
}
