/** Shorthands for changes: of responses and requests by path, and of frames. */

import type { Change } from '../../../../src/conformance/lies/lying-transport.ts'
import { isJsonObject } from '../../../../src/conformance/responses.ts'
import type { TransportResponse } from '../../../../src/conformance/target-transport.ts'
import type { Deviation, Place } from '../deviation.ts'

/** The deviations that one case must detect, by description. */
export const deviationsOf = (
  caseId: string,
  changes: Record<string, Change | ((place: Place) => Change)>,
): Deviation[] =>
  Object.entries(changes).map(([title, change]) => ({
    id: `rule.${caseId}: ${title}`,
    class: 'rule',
    of: null,
    caseId,
    change: typeof change === 'function' ? change : () => change,
  }))

// Deviations reach into answers as they are; what is not there makes no deviation.
// biome-ignore lint/suspicious/noExplicitAny: any JSON
export type AnyJson = any

/** Changes `data` of successful responses of some paths. */
export const data = (path: RegExp, change: (data: AnyJson, path: string) => unknown): Change =>
  body(path, (envelope, at) =>
    isJsonObject(envelope) && envelope.data !== null && envelope.data !== undefined
      ? { ...envelope, data: change(envelope.data, at) }
      : envelope,
  )

/** Changes every row of a list in `data`. */
export const rows = (path: RegExp, change: (row: AnyJson) => unknown): Change =>
  data(path, (given) => (Array.isArray(given) ? given.map(change) : given))

/** Changes the whole body of some paths. */
export const body = (path: RegExp, change: (body: AnyJson, path: string) => unknown): Change => ({
  answer: (received, sent) => {
    if (!path.test(sent.path)) return received
    try {
      return { ...received, text: JSON.stringify(change(JSON.parse(received.text), sent.path)) }
    } catch {
      return received
    }
  },
})

/** Replaces status or text of some paths. */
export const answer = (
  path: RegExp,
  change: (text: string) => string | Partial<TransportResponse>,
): Change => ({
  answer: (received, sent) => {
    if (!path.test(sent.path)) return received
    const changed = change(received.text)
    return { ...received, ...(typeof changed === 'string' ? { text: changed } : changed) }
  },
})

/** Replaces query or body of some paths, like a service that misreads them. */
export const reading = (
  path: RegExp,
  change: (query: URLSearchParams, body: AnyJson) => void,
): Change => ({
  request: (sent) => {
    const [at = '', text = ''] = sent.path.split('?')
    if (!path.test(at)) return sent
    const query = new URLSearchParams(text)
    const given = sent.body?.startsWith('{') && sent.body.endsWith('}') ? JSON.parse(sent.body) : {}
    change(query, sent.body === undefined ? undefined : given)
    const isRead = sent.body?.startsWith('{') && sent.body.endsWith('}')
    return { ...sent, path: `${at}?${query}`, ...(isRead ? { body: JSON.stringify(given) } : {}) }
  },
})

/** Changes JSON frames to the client; null drops one, a list sends several. */
export const frames = (change: (frame: AnyJson) => unknown): Change => ({
  connection: () => ({
    frame: (text) => {
      const changed = change(JSON.parse(text))
      const all = Array.isArray(changed) ? changed : changed === null ? [] : [changed]
      return all.map((one) => JSON.stringify(one))
    },
  }),
})

/** Changes acknowledgements of `/ws`. */
export const acks = (change: (data: AnyJson) => unknown): Change =>
  frames((frame) =>
    frame.channel === 'subscriptionResponse' ? { ...frame, data: change(frame.data) } : frame,
  )

/** Changes the data of a channel's pushes. */
export const pushes = (channel: string, change: (data: AnyJson) => unknown): Change =>
  frames((frame) => (frame.channel === channel ? { ...frame, data: change(frame.data) } : frame))

/** Connections that are never closed, or closed with another code. */
export const closing = (code: (right: number | null) => number | null): Change => ({
  connection: () => ({ closeCode: code }),
})
