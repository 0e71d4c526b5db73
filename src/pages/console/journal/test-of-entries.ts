/** A stretch of the journal as the steps of a test. */

import type { FrameEntry, JournalEntry } from '../../../clients/control/records.ts'
import { fieldsOf } from '../../../conformance/samples/shell.ts'
import { type TestFile, type TestStep, testFile } from '../../../conformance/samples/test-file.ts'
import { saidOn, unsigned } from './asked-again.ts'
import { channelOf } from './filter.ts'

/** What is known of the sandbox in which it happened. */
export interface TestOrigin {
  /** Which key is which: access key to `full`, `partner`, `sub` or `bare`. */
  roles: Readonly<Record<string, string>>
  /** Scenarios that are on. */
  scenarios: readonly string[]
  /** First and last instant of the tape. */
  span: { startMs: number; stopMs: number }
}

/**
 * The file; null when nothing of it can be asked again.
 *
 * @param earlier what came before the stretch: a socket in it may have been opened there
 */
export function testOfEntries(
  form: TestFile['form'],
  entries: readonly JournalEntry[],
  { roles, scenarios, span }: TestOrigin,
  earlier: readonly JournalEntry[] = [],
): string | null {
  const steps = [...openedBefore(entries, earlier, roles), ...stepsOf(entries, roles)]
  const first = entries.find(({ kind }) => kind !== 'playhead')
  // What is only waited for, on a socket that nobody opens, is no test.
  if (!steps.some(({ kind }) => kind === 'request' || kind === 'open')) return null
  if (first === undefined) return null
  const isOnTape = first.tapeMs >= span.startMs && first.tapeMs <= span.stopMs
  const [scenario] = entries.some(({ rule }) => rule !== null) ? scenarios : []
  return testFile({
    form,
    title: titleOf(entries),
    options: {
      ...(isOnTape ? { at: first.tapeMs } : {}),
      ...(scenario === undefined ? {} : { scenario }),
    },
    steps,
  })
}

function titleOf(entries: readonly JournalEntry[]): string {
  const names = entries.flatMap((entry) =>
    entry.kind === 'request' ? [entry.operation ?? entry.path] : [],
  )
  const pushed = entries.flatMap((entry) =>
    entry.kind === 'frame' && entry.direction === 'out' ? [channelOf(entry.text) ?? ''] : [],
  )
  const all = [...new Set([...names, ...pushed])].filter(Boolean)
  return `${all.slice(0, 3).join(', ')}${all.length > 3 ? ', …' : ''} as recorded`
}

function stepsOf(entries: readonly JournalEntry[], roles: TestOrigin['roles']): TestStep[] {
  const heard = new Set<string>()
  return entries.flatMap((entry) => {
    const step = stepOf(entry, roles, heard)
    return step === null ? [] : [step]
  })
}

/** Opens what was open already when the stretch began, and follows there what was followed. */
function openedBefore(
  entries: readonly JournalEntry[],
  earlier: readonly JournalEntry[],
  roles: TestOrigin['roles'],
): TestStep[] {
  const opened = new Set(
    entries.flatMap((one) =>
      one.kind === 'socket' && one.event === 'opened' ? [one.connection] : [],
    ),
  )
  const atMs = entries[0]?.sessionMs ?? 0
  const frames = new Map<number, FrameEntry>()
  for (const one of entries)
    if (one.kind === 'frame' && !opened.has(one.connection) && !frames.has(one.connection))
      frames.set(one.connection, one)
  return [...frames].flatMap(([connection, frame]): TestStep[] => {
    const by = { atMs, role: roleOf(frame, roles), isForged: false, connection }
    const said = saidOn(earlier, connection)
    if (said.length === 0 && frame.direction === 'out') return []
    return [
      { kind: 'open', ...by, target: `${PREFIX}${frame.path}` },
      ...said.map((text): TestStep => ({ kind: 'said', ...by, text })),
    ]
  })
}

/** @param heard what was waited for already: once for each channel of a connection */
function stepOf(
  entry: JournalEntry,
  roles: TestOrigin['roles'],
  heard: Set<string>,
): TestStep | null {
  const by = { atMs: entry.sessionMs, role: roleOf(entry, roles), isForged: isForged(entry) }
  switch (entry.kind) {
    case 'request': {
      const { target, body } = unsigned(entry)
      const code = entry.answer === null ? null : fieldsOf(entry.answer)?.code
      return {
        kind: 'request',
        ...by,
        method: entry.method,
        target,
        body,
        status: entry.status,
        code: typeof code === 'string' ? code : null,
      }
    }
    case 'socket':
      if (entry.event !== 'opened' || entry.connection === null) return null
      return { kind: 'open', ...by, connection: entry.connection, target: `${PREFIX}${entry.path}` }
    case 'frame': {
      const { connection, text } = entry
      if (entry.direction === 'in') return { kind: 'said', ...by, connection, text }
      const channel = channelOf(text)
      const name = `${connection} ${channel}`
      if (channel === null || heard.has(name)) return null
      heard.add(name)
      return { kind: 'pushed', ...by, connection, channel }
    }
    default:
      return null
  }
}

const PREFIX = '/api/upgrade/v2'

/** A key of another sandbox is nobody there: whoever has all rights stands in for it. */
function roleOf(entry: JournalEntry, roles: TestOrigin['roles']): string | null {
  const key = entry.key ?? claimedKey(entry)
  return key === null ? null : (roles[key] ?? 'full')
}

/** Under whose name a request was refused. */
const claimedKey = (entry: JournalEntry): string | null =>
  entry.kind === 'request'
    ? (new URLSearchParams(entry.query).get('AccessKeyId') ??
      (fieldsOf(entry.body)?.AccessKeyId as string | undefined) ??
      null)
    : null

const isForged = (entry: JournalEntry): boolean =>
  entry.kind === 'request' &&
  entry.refused === 'signature' &&
  unsigned(entry).signedIn !== 'nowhere'
