/** What an entry of the journal has asked, to be asked again. */

import type {
  FrameEntry,
  JournalEntry,
  RequestEntry,
  SocketEntry,
} from '../../../clients/control/records.ts'
import { type Asked, fieldsOf } from '../../../conformance/samples/shell.ts'
import { callSample, streamSample } from '../../../conformance/samples/test-file.ts'

const CREDENTIALS = ['AccessKeyId', 'SignatureNonce', 'Timestamp', 'Signature']

/** Path and query without credentials, and the body without them. */
export interface Unsigned {
  target: string
  body: string
  signedIn: Asked['signedIn']
}

/** What was sent of a request besides its signature. */
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

/** A path without the sandbox that it may name: that is a part of the base URL. */
export const bare = (path: string): string => path.replace(/^\/s\/[^/]+(?=\/)/, '')

/** A request as a program would ask it. */
export function askedRequest(base: string, entry: RequestEntry): Asked {
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

/** A socket as a program would open it, with what its client has said by then. */
export function askedSocket(
  base: string,
  { path }: Pick<SocketEntry, 'path'>,
  frames: readonly string[],
): Asked {
  const address = `${base.replace(/^http/, 'ws')}${PREFIX}${path}`
  return { kind: 'socket', address, signedIn: 'query', ageS: 0, frames }
}

const PREFIX = '/api/upgrade/v2'

/**
 * What the client of a connection has said, up to an entry. What it has followed until it left
 * that again is followed: a program that left at once would see nothing.
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

/** By the project's client; null for what its client has no call for. */
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

/** The same for what a socket follows; null where something else was said on it. */
export function streamProgram(base: string, frames: readonly string[]): string | null {
  const streams = frames.flatMap((text) => {
    const subscription = fieldsOf(text)?.subscription as Record<string, unknown> | undefined
    if (typeof subscription?.type !== 'string') return []
    const { type, ...rest } = subscription
    return [{ channel: String(type), subscription: rest }]
  })
  return streams.length === 0 ? null : streamSample({ baseUrl: base, streams })
}

/** Values of a path by the names of its template, whatever stands before it. */
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
