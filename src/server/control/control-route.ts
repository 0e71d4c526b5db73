/** One call of the control plane as a transport sees it. */
import type { HttpResponse } from '../../sandbox/pipeline/http-message.ts'

/** What has come of a call before its body has. */
export interface ControlRequestHead {
  headers: Headers
  /** `http://host:port` that the caller reached us at. */
  origin: string
}

export interface ControlRequest extends ControlRequestHead {
  params: Readonly<Record<string, string>>
  /** The query string, without `?`. */
  query: string
  body: string
  /** Aborted when the caller goes away. */
  signal?: AbortSignal
}

/** A complete answer, or a stream. */
export type ControlResponse =
  | HttpResponse
  | (Omit<HttpResponse, 'body'> & { body: ReadableStream<string> })

export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Of its body; undefined is as much as any call may have. */
  maxBodyBytes?: number | undefined
  /** Whether it is answered without the token too. */
  isOpen?: boolean | undefined
  /** Whether read-only guests may use it. */
  isForGuests?: boolean | undefined
  answer(request: ControlRequest): Promise<ControlResponse>
}

/** A route that says, before a body is read, whether the caller may use it. */
export interface GuardedRoute extends ControlRoute {
  /** Why he may not; null lets him in. */
  refusal(head: ControlRequestHead): HttpResponse | null
}
