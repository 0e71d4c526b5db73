/** Requests of journal entries, for repetition. */

import type {
  FrameEntry,
  JournalEntry,
  RequestEntry,
  SocketEntry,
} from '../../../clients/control/records.ts'
import { type Fetched, fieldsOf } from '../../../conformance/samples/shell.ts'
import { callSample, streamSample } from '../../../conformance/samples/test-file.ts'

const CREDENTIALS = ['AccessKeyId', 'SignatureNonce', 'Timestamp', 'Signature']

/** Path, query and body without credentials. */
export interface Unsigned {
  target: string
  body: string
  signedIn: Fetched['signedIn']
}

/** A request without its signature. */
export function unsigned({
  path,
  query,
  body,
}: Pick<RequestEntry, 'path' | 'query' | 'body'>): Unsigned {
  const parameters = new URLSearchParams(query)
  const isInQuery = CREDENTIALS.some((name) => parameters.has(name))
  for (const name of CREDENTIALS) parameters.delete(name)
  const fields = fieldsOf(body)
  const isInBody = fields !== null && CREDENTIALS.some((name) => name in fields)
  const unsignedBody = isInBody
    ? JSON.stringify(
        Object.fromEntries(Object.entries(fields).filter(([name]) => !CREDENTIALS.includes(name))),
      )
    : body
  return {
    target: parameters.size > 0 ? `${bare(path)}?${parameters}` : bare(path),
    body: unsignedBody,
    signedIn: isInQuery ? 'query' : isInBody ? 'body' : 'nowhere',
  }
}

/** A path without a sandbox's prefix, which belongs to the base URL. */
export const bare = (path: string): string => path.replace(/^(?:\/console)?\/s\/[^/]+(?=\/)/, '')

/** A request in the form of a sample program. */
export function replayRequest(base: string, entry: RequestEntry): Fetched {
  const { target, body, signedIn } = unsigned(entry)
  return {
    kind: 'request',
    method: entry.method,
    address: `${base}${target}`,
    signedIn,
    ageS: 0,
    ...(body === '' ? {} : { body }),
  }
}

/** A socket in the form of a sample program, with its client's frames so far. */
export function requestedSocket(
  base: string,
  { path }: Pick<SocketEntry, 'path'>,
  frames: readonly string[],
): Fetched {
  const address = `${base.replace(/^http/, 'ws')}${PREFIX}${path}`
  return { kind: 'socket', address, signedIn: 'query', ageS: 0, frames }
}

const PREFIX = '/api/upgrade/v2'

/**
 * A connection's client frames up to an entry. Subscriptions it ended are restored: a program that
 * unsubscribes at once would receive nothing.
 */
export const saidOn = (
  entries: readonly JournalEntry[],
  connection: number,
  until = Number.POSITIVE_INFINITY,
): string[] =>
  entries
    .filter(
      (entry): entry is FrameEntry =>
        entry.kind === 'frame' &&
        entry.direction === 'in' &&
        entry.connection === connection &&
        entry.seq <= until,
    )
    .map(({ text }) => text)
    .filter((text, at, all) => fieldsOf(text)?.method !== 'unsubscribe' && all.indexOf(text) === at)

/** With the project's client; null for requests it cannot make. */
export function clientProgram(
  base: string,
  { operation, path, query, body }: RequestEntry,
  lineOf: (operation: string) => string | undefined,
): string | null {
  const line = operation === null ? undefined : lineOf(operation)
  if (operation === null || line === undefined) return null
  const { target, body: sent } = unsigned({ path, query, body })
  const [, template = ''] = line.split(' ')
  const parts = pathParts(template, path)
  if (parts === null) return null
  return callSample({
    baseUrl: base,
    operation,
    path: parts,
    query: Object.fromEntries(new URLSearchParams(target.split('?')[1] ?? '')),
    ...(sent === '' ? {} : { body: fieldsOf(sent) ?? sent }),
  })
}

/** The same for a socket's subscriptions; null for other frames. */
export function streamProgram(base: string, frames: readonly string[]): string | null {
  const streams = frames.flatMap((text) => {
    const subscription = fieldsOf(text)?.subscription as Record<string, unknown> | undefined
    if (typeof subscription?.type !== 'string') return []
    const { type, ...rest } = subscription
    return [{ channel: String(type), subscription: rest }]
  })
  return streams.length === 0 ? null : streamSample({ baseUrl: base, streams })
}

/** Path values by the names in its template, under any prefix. */
export function pathParts(template: string, path: string): Record<string, string> | null {
  const names = template.split('/')
  const parts = path.split('/').slice(-names.length + 1)
  const found: Record<string, string> = {}
  for (const [at, name] of names.slice(1).entries()) {
    const part = parts[at]
    if (part === undefined) return null
    if (name.startsWith(':')) found[name.slice(1)] = decodeURIComponent(part)
    else if (name !== part) return null
  }
  return found
}
