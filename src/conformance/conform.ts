/** The whole suite in one call, against a service or against a sandbox created for it. */

import { MINUTE_MS } from '../clock/instant.ts'
import { hostClock } from '../clock/system-clock.ts'
import { CHANNELS, OPERATIONS } from '../contract/catalogue.ts'
import { UserError } from '../platform/user-error.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import { HAND_WRITTEN_CASES } from './cases.ts'
import { type ConformSettings, markedAsKnown, notesOnKnown } from './conform-settings.ts'
import { firstExampleRequest, isSafeToCall } from './derived/tested-operation.ts'
import { DERIVED_CASES } from './derived.ts'
import { breadthOf } from './ledger/breadth.ts'
import { Ledger } from './ledger/ledger.ts'
import { type LedgerRule, ledgerResults } from './ledger/ledger-rule.ts'
import { LEDGER_RULES } from './ledger/rules.ts'
import type { Case, Probe } from './probe.ts'
import { ProbeSocket } from './probe-socket.ts'
import { type Report, reportOf } from './report.ts'
import { blockedResult, type Result, runCases, withoutSecrets } from './runner.ts'
import { SchemaCoverage } from './schema-coverage.ts'
import { nonceStart, type TargetPlace, withTarget } from './target-place.ts'
import { deniedPermission } from './target-transport.ts'
import type { Traffic } from './traffic.ts'

/** Runs the suite; a UserError explains why nothing can be judged. */
export async function conform(settings: ConformSettings): Promise<Report> {
  const cases = casesNamed(settings.only ?? [], settings.exclude)
  return withTarget(settings, (place) => judge(place, cases, settings))
}

/** All cases. */
export const allCases = (): readonly Case[] => [...HAND_WRITTEN_CASES, ...DERIVED_CASES]

/**
 * Cases whose id begins with one of these (all for none), except the excluded; a UserError when
 * there is none. A rule over the whole run judges what all cases hear: naming one means all cases.
 */
export function casesNamed(only: readonly string[], exclude: readonly string[] = []): Case[] {
  const isAll = only.length === 0 || [...LEDGER_RULES, LOOKUPS].some(begins(only))
  const named = allCases().filter((one) => isAll || begins(only)(one))
  if (named.length === 0) throw new UserError(`no case begins with ${only.join(' or ')}`)
  const idle = exclude.find((start) => ![...allCases(), ...LEDGER_RULES].some(begins([start])))
  if (idle !== undefined) throw new UserError(`no case that could be excluded begins with ${idle}`)
  const cases = named.filter((one) => !begins(exclude)(one))
  if (cases.length === 0) throw new UserError('every case is excluded')
  return cases
}

/** The failure of lookups, which any case may find. */
const LOOKUPS = { id: 'run.lookups' }

/** The rules over the whole run with such ids; none when only cases are named. */
export const rulesNamed = (
  only: readonly string[] = [],
  exclude: readonly string[] = [],
): LedgerRule[] =>
  LEDGER_RULES.filter((rule) => (only.length === 0 || begins(only)(rule)) && !begins(exclude)(rule))

/** Number of results of a run of these cases and rules. */
export const resultsNamed = (only: readonly string[], exclude: readonly string[] = []): number =>
  casesNamed(only, exclude).filter((one) => only.length === 0 || begins(only)(one)).length +
  rulesNamed(only, exclude).length

const begins = (starts: readonly string[]) => (one: { id: string }) =>
  starts.some((start) => one.id.startsWith(start))

/** Runs cases against a target; an aborted run returns its results so far. */
export async function judge(
  place: TargetPlace,
  cases: Case[],
  settings: ConformSettings,
): Promise<Report> {
  const { base, target, transport, traffic } = place
  const { systemClock = hostClock, concurrency, retries, seed, onResult, onNote } = settings
  const coverage = new SchemaCoverage()
  const { known = {} } = settings
  const { only = [], exclude } = settings
  const marked = (result: Result) => markedAsKnown(result, known, systemClock.nowMs())
  const rules = rulesNamed(only, exclude)
  const remaining = remainingOf(traffic, cases.length + rules.length, onNote)
  const ledger = rules.length > 0 ? new Ledger() : undefined
  const isNamed = (result: Result) => only.length === 0 || begins(only)(result)
  const tell = (result: Result) => onResult?.(result, remaining())
  const ran = await runCases(cases, {
    target,
    transport,
    traffic,
    systemClock,
    coverage,
    nonce: nonceStart('case', systemClock),
    caseTimeoutMs: CASE_TIMEOUT_MS + 4 * target.patienceMs,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(retries === undefined ? {} : { retries }),
    ...(seed === undefined ? {} : { seed }),
    ...(target.control ? {} : { lacks: permissionsOf(() => place.probe('rights'), noted(onNote)) }),
    ...(ledger ? { ledger } : {}),
    onResult: (result) => {
      if (isNamed(result)) tell(marked(result))
    },
  })
  const judged = ledger ? await ledgerResults(ledger, rules, () => systemClock.yieldTurn()) : []
  const overall = judged.map((result) => marked(withoutSecrets(result, target)))
  const named = ran.filter(isNamed)
  const blocked = blockedResult(named.length > 0 ? named : ran)
  if (blocked && (named.length > 0 || isNamed(blocked)))
    overall.unshift(marked(withoutSecrets(blocked, target)))
  for (const result of overall) tell(result)
  const results = [...named.map(marked), ...overall]
  const breadth = ledger ? await breadthOf(ledger, () => systemClock.yieldTurn()) : null
  const omitted = ledger?.omitted ?? 0
  const notKept = omitted > 0 ? [`${omitted} answers and frames were not kept: no room`] : []
  ledger?.close()
  return reportOf(base, results, coverage, {
    ended: traffic.endedBy,
    breadth,
    notes: [...notKept, ...notesOnKnown(results, known, systemClock.nowMs())],
    ...(settings.controlUrl === undefined
      ? {}
      : { command: `tapewright conform --control ${settings.controlUrl}` }),
  })
}

/** Estimates the remaining time after each case; noted once when it takes minutes. */
function remainingOf(traffic: Traffic, all: number, onNote: ConformSettings['onNote']) {
  let [done, isReported] = [0, false]
  return (): number | null => {
    const leftMs = traffic.remainingMs(++done, all)
    if (leftMs !== null && leftMs > MINUTE_MS && !isReported && done >= SAMPLE_CASES) {
      isReported = true
      const rate = Math.round(traffic.perMinute ?? 0)
      onNote?.(`at ${rate} requests a minute the rest takes ${Math.ceil(leftMs / MINUTE_MS)} min`)
    }
    return leftMs
  }
}

/** Number of cases from which the requests per case are estimated. */
const SAMPLE_CASES = 20

/** Far more than any case takes: hanging responses end by their own timeout. */
const CASE_TIMEOUT_MS = 300_000

const noted = (onNote: ConformSettings['onNote']) => (permission: string) =>
  onNote?.(`the key lacks the permission ${permission}: cases that need it are skipped`)

// Detects missing permissions of the main key at the target's first refusal.

/**
 * Tests whether a permission is missing: every request that needs it is refused with its name. A
 * refusal while another request with the permission is answered is a deviation.
 *
 * @param newProbe creates a probe that accepts refusals
 * @param onMissing called once for each
 */
function permissionsOf(newProbe: () => Probe, onMissing: (permission: string) => void) {
  const known = new Map<string, Promise<boolean>>()
  return (permission: string): Promise<boolean> => {
    const found = known.get(permission) ?? look(newProbe(), permission, onMissing)
    known.set(permission, found)
    return found
  }
}

async function look(
  probe: Probe,
  permission: string,
  onMissing: (permission: string) => void,
): Promise<boolean> {
  const named = <T extends (typeof OPERATIONS | typeof CHANNELS)[number]>({ access }: T) =>
    access.kind === 'permission' && access.name === permission
  const denied: boolean[] = []
  for (const operation of OPERATIONS.filter((one) => named(one) && isSafeToCall(one)))
    denied.push(
      await isDenied(permission, async () =>
        probe.request(await firstExampleRequest(probe, operation)),
      ),
    )
  for (const path of new Set(CHANNELS.filter(named).map(({ dialect }) => dialect.path)))
    denied.push(await isDenied(permission, () => probe.tryConnect({ path })))
  probe.close()
  const isMissing = denied.length > 0 && !denied.includes(false)
  if (isMissing) onMissing(permission)
  return isMissing
}

async function isDenied(
  permission: string,
  ask: () => Promise<Awaited<ReturnType<Probe['tryConnect']>>>,
): Promise<boolean> {
  try {
    const answer = await ask()
    return !(answer instanceof ProbeSocket) && deniedPermission(answer) === permission
  } catch (error) {
    // Its subject could not be looked up, which is no evidence about the permission.
    if (error instanceof CheckFailure || error instanceof SkipCase) return true
    throw error
  }
}
