/** A way to depart from the contract, and the case that has to notice. */

import { isJsonObject } from '../../../src/conformance/response-reading.ts'
import type { TargetTransport } from '../../../src/conformance/target-transport.ts'
import { changingFrames, changingRequests, changingResponses } from './transports.ts'

export interface Deviation {
  /** What the service does wrong. */
  title: string
  /** The id of the case that must notice. */
  caseId: string
  apply: (transport: TargetTransport) => TargetTransport
}

/** The deviations that one case must notice, by what they do wrong. */
export const deviationsOf = (
  caseId: string,
  deviations: Record<string, Deviation['apply']>,
): Deviation[] => Object.entries(deviations).map(([title, apply]) => ({ title, caseId, apply }))

// Deviations reach into answers as they are; what is not there makes no deviation.
// biome-ignore lint/suspicious/noExplicitAny: any JSON
export type AnyJson = any

/** `data` of the successful answers of some paths changed. */
export const data = (path: RegExp, change: (data: AnyJson, path: string) => unknown) =>
  body(path, (envelope, at) =>
    isJsonObject(envelope) && envelope.data !== null && envelope.data !== undefined
      ? { ...envelope, data: change(envelope.data, at) }
      : envelope,
  )

/** Every row of a list in `data`, or under a name in it, changed. */
export const rows = (path: RegExp, change: (row: AnyJson) => unknown, under?: string) =>
  data(path, (given) => {
    if (under === undefined) return Array.isArray(given) ? given.map(change) : given
    return { ...given, [under]: given[under].map(change) }
  })

/** The whole body of some paths changed. */
export const body =
  (path: RegExp, change: (body: AnyJson, path: string) => unknown) =>
  (transport: TargetTransport): TargetTransport =>
    changingResponses(transport, (text, at) => {
      if (!path.test(at)) return text
      try {
        return JSON.stringify(change(JSON.parse(text), at))
      } catch {
        return text
      }
    })

/** Another status or text for some paths. */
export const answer =
  (path: RegExp, change: (text: string) => string | { status?: number; text?: string }) =>
  (transport: TargetTransport): TargetTransport =>
    changingResponses(transport, (text, at) => (path.test(at) ? change(text) : text))

/** Another query or body for some paths, as a service that reads them wrongly. */
export const reading =
  (path: RegExp, change: (query: URLSearchParams, body: AnyJson) => void) =>
  (transport: TargetTransport): TargetTransport =>
    changingRequests(transport, (at, query, text) => {
      if (!path.test(at)) return text
      const given = text?.startsWith('{') && text.endsWith('}') ? JSON.parse(text) : undefined
      change(query, given)
      return given === undefined ? text : JSON.stringify(given)
    })

/** Frames to the client changed, as JSON; null drops one. */
export const frames =
  (change: (frame: AnyJson, at: number) => unknown) =>
  (transport: TargetTransport): TargetTransport =>
    changingFrames(transport, (text, at) => {
      const changed = change(JSON.parse(text), at)
      return changed === null ? [] : [JSON.stringify(changed)]
    })

/** Acknowledgements of `/ws` changed. */
export const acks = (change: (data: AnyJson) => unknown) =>
  frames((frame) =>
    frame.channel === 'subscriptionResponse' ? { ...frame, data: change(frame.data) } : frame,
  )

/** The data of pushes of a channel changed. */
export const pushes = (channel: string, change: (data: AnyJson) => unknown) =>
  frames((frame) => (frame.channel === channel ? { ...frame, data: change(frame.data) } : frame))
