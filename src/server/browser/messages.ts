/** Messages between a page and its worker. */

/** A message to the worker; the page numbers its requests and sockets. */
export type PageMessage =
  | { open: { folder: string } }
  | { request: number; call: ForwardedRequest }
  | { abort: number }
  | { connect: number; path: string }
  | { send: number; data: string | Uint8Array<ArrayBuffer> }
  | { close: number; code: number; reason: string }

/** A request without the parts that cannot be sent to another thread. */
export interface ForwardedRequest {
  method: string
  path: string
  headers: [string, string][]
  body: Uint8Array<ArrayBuffer> | null
}

/** A message from the worker. */
export type WorkerMessage =
  | { opened: true }
  /** It cannot start; with the reason. */
  | { failed: string }
  | { head: number; status: number; headers: [string, string][]; hasBody: boolean }
  | { chunk: number; bytes: Uint8Array<ArrayBuffer> }
  /** The body is complete, or was cut off. */
  | { end: number; isWhole: boolean }
  /** There will be no response. */
  | { lost: number; why: string }
  | { connected: number; isAccepted: boolean }
  | { frame: number; text: string }
  | { closed: number; code: number; reason: string }

/** Required features that this browser lacks, as text. */
export function missingFeatures(found: Readonly<Record<string, unknown>> = globalThis): string[] {
  const { Worker, WebAssembly, DecompressionStream, navigator } = found as Features
  return [
    ...(Worker ? [] : ['workers']),
    ...(WebAssembly ? [] : ['WebAssembly']),
    ...(DecompressionStream ? [] : ['DecompressionStream']),
    ...('withResolvers' in Promise && 'groupBy' in Map ? [] : ['Promise.withResolvers']),
    // Insecure pages have none, nor have private windows of some browsers.
    ...(navigator?.serviceWorker ? [] : ['service workers']),
  ]
}

type Features = Record<'Worker' | 'WebAssembly' | 'DecompressionStream', unknown> & {
  navigator?: { serviceWorker?: unknown }
}
