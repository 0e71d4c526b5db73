/** A part of the journal as the steps of a test. */

import type { FrameEntry, JournalEntry } from '../../../clients/control/records.ts'
import { fieldsOf } from '../../../conformance/samples/shell.ts'
import { type TestFile, type TestStep, testFile } from '../../../conformance/samples/test-file.ts'
import { channelOf } from './filter.ts'
import { saidOn, unsigned } from './repeated-request.ts'

/** Facts about the journal's sandbox. */
export interface TestOrigin {
  /** Roles of keys: access key to `full`, `partner`, `sub` or `bare`. */
  roles: Readonly<Record<string, string>>
  /** Active scenarios. */
  scenarios: readonly string[]
  /** First and last instant of the tape. */
  span: { startMs: number; stopMs: number }
}

/**
 * The file; null when nothing in it can be repeated.
 *
 * @param earlier entries before the part: its sockets may have been opened there
 */
export function testOfEntries(
  form: TestFile['form'],
  entries: readonly JournalEntry[],
  { roles, scenarios, span }: TestOrigin,
  earlier: readonly JournalEntry[] = [],
): string | null {
  const steps = [...openedBefore(entries, earlier, roles), ...stepsOf(entries, roles)]
  const first = entries.find(({ kind }) => kind !== 'playhead')
  // Waiting on a socket that is never opened is no test.
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

/** Opens sockets that were open at the start, and restores their subscriptions. */
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

/** @param heard pushes waited for so far: one per channel of a connection */
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

/** Keys of another sandbox are unknown: the key with all permissions replaces them. */
function roleOf(entry: JournalEntry, roles: TestOrigin['roles']): string | null {
  const key = entry.key ?? claimedKey(entry)
  return key === null ? null : (roles[key] ?? 'full')
}

/** Access key named by a refused request. */
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
