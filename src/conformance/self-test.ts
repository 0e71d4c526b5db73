/**
 * What a run would notice at a target: lies are tried between the suite and the target itself, one
 * after another, and the cases and rules that look at what tells them must fail.
 */

import type { SystemClock } from '../clock/system-clock.ts'
import { channelOf, operationAt } from './answer-content.ts'
import { Ledger } from './ledger/ledger.ts'
import { type LedgerRule, ledgerResults } from './ledger/ledger-rule.ts'
import { changedTransport, FAMILIES, type Family, type Lie } from './lies/lying-transport.ts'
import type { Case, ProbeListener } from './probe.ts'
import { isJsonObject } from './responses.ts'
import { type RunSettings, runCases } from './runner.ts'
import type { Target } from './target.ts'
import type { TargetTransport } from './target-transport.ts'

export interface SelfTestSettings {
  cases: readonly Case[]
  rules: readonly LedgerRule[]
  lies: readonly Lie[]
  systemClock: SystemClock
  /** Prefix of nonces; differs from run to run. */
  nonce: string
  /** Settings of each run besides. */
  run?: Partial<RunSettings>
  /** A fresh target of the same sort in place of one that many lies have used. */
  another?: () => Promise<SelfTestTarget>
  /** Called after each lie. */
  onTried?: (tried: TriedLie) => void
  /** Whether to stop early. */
  isOver?: () => boolean
}

export interface SelfTestTarget {
  target: Target
  transport: TargetTransport
}

export interface TriedLie {
  lie: Lie
  /** The case or rule that noticed it; null for none. */
  noticedBy: string | null
  message: string
  /** Number of answers and frames that it changed. */
  changed: number
}

/** Lies by what became of them. */
export interface SelfTest {
  noticed: readonly TriedLie[]
  /** Tried, and not noticed. */
  missed: readonly TriedLie[]
  /** The target gave no occasion to tell them. */
  untried: readonly TriedLie[]
  /** Cases and rules that fail without a lie: they notice nothing. */
  failing: readonly string[]
}

/** So many lies are tried to one target before it is replaced, where that is possible. */
const TOLD_EACH = 25
/** Maximum number of cases for a lie, and how many run before the next look at their verdicts. */
const [CASES_MAX, CASES_EACH] = [40, 4]
/** The case from which the rules over a whole run learn most. */
const LONG_CASE = 'sockets.minutes.together'

/** Tells each lie. */
export async function selfTest(
  place: SelfTestTarget,
  settings: SelfTestSettings,
): Promise<SelfTest> {
  const honest = await withoutLies(place, settings)
  const tried: TriedLie[] = []
  let at = place
  for (const [rank, lie] of settings.lies.entries()) {
    if (settings.isOver?.()) break
    if (settings.another && rank % TOLD_EACH === TOLD_EACH - 1) at = await settings.another()
    const one = await tell(lie, at, honest, settings)
    tried.push(one)
    settings.onTried?.(one)
  }
  return {
    noticed: tried.filter(({ noticedBy }) => noticedBy !== null),
    missed: tried.filter(({ noticedBy, changed }) => noticedBy === null && changed > 0),
    untried: tried.filter(({ noticedBy, changed }) => noticedBy === null && changed === 0),
    failing: honest.failing,
  }
}

// A run without a lie.

interface Honest {
  /** Passing cases that look at an operation or a channel, the quickest first. */
  looking: ReadonlyMap<string, readonly Case[]>
  long: Case | undefined
  rules: readonly LedgerRule[]
  failing: string[]
}

async function withoutLies(place: SelfTestTarget, settings: SelfTestSettings): Promise<Honest> {
  const looking = new Map<string, Set<Case>>()
  const note = (which: Case, id: string | undefined) => {
    if (id === undefined) return
    const known = looking.get(id) ?? new Set<Case>()
    looking.set(id, known.add(which))
  }
  const listenerFor = (which: Case): ProbeListener => ({
    onAnswer: ({ method, path }, { body }) => {
      const id = operationAt(method, path)?.id
      note(which, id)
      if (id === INFO && isJsonObject(body)) note(which, keyOf({ of: id, type: `${body.type}` }))
    },
    onFrame: (path, frame) => note(which, channelOf(path, frame)?.id),
  })
  const ledger = new Ledger()
  const { cases, rules } = settings
  const results = await runCases(cases, { ...runSettings(place, settings), ledger, listenerFor })
  const judged = await ledgerResults(ledger, rules, () => settings.systemClock.yieldTurn())
  ledger.close()
  const failed = [...results, ...judged].filter(({ verdict }) => verdict === 'failed')
  const failing = failed.map(({ id }) => id)
  const [ms, isSound] = [
    new Map(results.map(({ id, durationMs }) => [id, durationMs])),
    new Set(results.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id)),
  ]
  const usable = (which: Case) => isSound.has(which.id) && !which.needs?.includes('invite')
  const sorted = [...looking].map(([id, some]): [string, Case[]] => [
    id,
    [...some]
      .filter(usable)
      .sort((one, other) => rankOf(one, id, ms) - rankOf(other, id, ms))
      .slice(0, CASES_MAX),
  ])
  return {
    looking: new Map(sorted),
    long: cases.find((one) => one.id === LONG_CASE && usable(one)),
    rules: rules.filter(({ id }) => !failing.includes(id)),
    failing,
  }
}

const INFO = 'perpdex.info'

/** What a lie is about, as the cases that look at it are found by it. */
const keyOf = ({ of, type }: Pick<Lie, 'of' | 'type'>): string =>
  type === undefined ? of : `${of} ${type}`

/** Cases about it first, then identities, then the quick ones. */
function rankOf({ id }: Case, of: string, ms: ReadonlyMap<string, number>): number {
  const kind = id.includes(of) ? 0 : id.startsWith('identities.') ? 1 : 2
  return kind * 1e9 + (ms.get(id) ?? 0)
}

let runs = 0

const runSettings = ({ target, transport }: SelfTestTarget, settings: SelfTestSettings) => ({
  target,
  transport,
  systemClock: settings.systemClock,
  nonce: `${settings.nonce}-${runs++}`,
  ...settings.run,
})

// A lie.

async function tell(
  lie: Lie,
  place: SelfTestTarget,
  { looking, long, rules }: Honest,
  settings: SelfTestSettings,
): Promise<TriedLie> {
  const tally = { changed: 0 }
  const nowMs = () => place.target.nowMs?.() ?? settings.systemClock.nowMs()
  const transport = changedTransport(place.transport, lie.change(), { tally, nowMs })
  const ledger = new Ledger()
  const tried = (noticedBy: string | null, message = ''): TriedLie => {
    ledger.close()
    return { lie, noticedBy, message, changed: tally.changed }
  }
  const run = runSettings({ target: place.target, transport }, settings)
  const cases = looking.get(keyOf(lie)) ?? []
  const all = long && !cases.includes(long) ? [...cases, long] : cases
  for (let at = 0; at < all.length; at += CASES_EACH) {
    const results = await runCases(all.slice(at, at + CASES_EACH), { ...run, ledger })
    const failed = results.find(({ verdict }) => verdict === 'failed')
    if (failed && tally.changed > 0) return tried(failed.id, failed.message)
  }
  const judged = await ledgerResults(ledger, rules, () => settings.systemClock.yieldTurn())
  const broken = judged.find(({ verdict }) => verdict === 'failed')
  return broken && tally.changed > 0 ? tried(broken.id, broken.message) : tried(null)
}

// As text.

/** The share that is noticed, what is not, and what data it would need. */
export function selfTestLines({ noticed, missed, untried, failing }: SelfTest): string[] {
  const tried = noticed.length + missed.length
  const percent = tried === 0 ? 0 : Math.floor((noticed.length / tried) * 100)
  const families = (Object.keys(FAMILIES) as Family[]).flatMap((family) => {
    const of = (all: readonly TriedLie[]) => all.filter(({ lie }) => lie.family === family).length
    const [own, own2] = [of(noticed), of(missed)]
    return own + own2 === 0 ? [] : [`  ${own} of ${own + own2} ${FAMILIES[family]}`]
  })
  const list = (title: string, all: readonly TriedLie[]) =>
    all.length === 0 ? [] : [title, ...all.map(({ lie }) => `  ${lie.id}\n    needs ${lie.needs}`)]
  return [
    `on your data this run notices ${percent} % of these lies: ${noticed.length} of ${tried}`,
    ...families,
    ...list('not noticed, and the data it would need:', missed),
    ...list('could not be tried, for want of data:', untried),
    ...(failing.length > 0 ? [`fail without a lie, and notice none: ${failing.join(', ')}`] : []),
  ]
}

/** The same for a program. */
export function selfTestRecord({ noticed, missed, untried, failing }: SelfTest) {
  const named = ({ lie: { id, needs } }: TriedLie) => ({ id, needs })
  return {
    noticed: noticed.map(({ lie, noticedBy }) => ({ id: lie.id, by: noticedBy })),
    missed: missed.map(named),
    untried: untried.map(named),
    failing,
  }
}
