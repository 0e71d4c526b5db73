/** What a page and the worker that answers it say to one another. */

/** To the worker; the page numbers its requests and sockets. */
export type PageMessage =
  | { open: { folder: string } }
  | { request: number; call: ForwardedRequest }
  | { abort: number }
  | { connect: number; path: string }
  | { send: number; data: string | Uint8Array<ArrayBuffer> }
  | { close: number; code: number; reason: string }

/** A request without what cannot be sent to another thread. */
export interface ForwardedRequest {
  method: string
  path: string
  headers: [string, string][]
  body: Uint8Array<ArrayBuffer> | null
}

/** From the worker. */
export type WorkerMessage =
  | { opened: true }
  /** It cannot begin, and why. */
  | { failed: string }
  | { head: number; status: number; headers: [string, string][]; hasBody: boolean }
  | { chunk: number; bytes: Uint8Array<ArrayBuffer> }
  /** The body is complete, or was cut off. */
  | { end: number; isWhole: boolean }
  /** No answer comes. */
  | { lost: number; why: string }
  | { connected: number; isAccepted: boolean }
  | { frame: number; text: string }
  | { closed: number; code: number; reason: string }

/** What of the things that a sandbox in a page needs this browser does not have, in words. */
export function missingFeatures(found: Readonly<Record<string, unknown>> = globalThis): string[] {
  const { Worker, WebAssembly, DecompressionStream, navigator } = found as Features
  return [
    ...(Worker ? [] : ['workers']),
    ...(WebAssembly ? [] : ['WebAssembly']),
    ...(DecompressionStream ? [] : ['DecompressionStream']),
    ...('withResolvers' in Promise && 'groupBy' in Map ? [] : ['Promise.withResolvers']),
    // Pages that are not secure have none, nor have private windows of some browsers.
    ...(navigator?.serviceWorker ? [] : ['service workers']),
  ]
}

type Features = Record<'Worker' | 'WebAssembly' | 'DecompressionStream', unknown> & {
  navigator?: { serviceWorker?: unknown }
}
