/** One call of the control plane as a transport sees it. */
import type { HttpResponse } from '../pipeline/http-message.ts'

export interface ControlRequest {
  params: Readonly<Record<string, string>>
  /** The query string, without `?`. */
  query: string
  body: string
  headers: Headers
  /** `http://host:port` that the caller reached us at. */
  origin: string
}

/** A complete answer, or a stream. */
export type ControlResponse =
  | HttpResponse
  | (Omit<HttpResponse, 'body'> & { body: ReadableStream<string> })

export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Whether it is answered without the token too. */
  isOpen: boolean
  answer(request: ControlRequest): Promise<ControlResponse>
}
