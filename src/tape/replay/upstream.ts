/** The real service, asked for what a recording does not have. */
import {
  followUpstream,
  type UpstreamListener,
  type UpstreamSubscription,
} from './upstream-socket.ts'

/** A request as it is passed on. */
export interface UpstreamRequest {
  method: string
  /** Path and query, without the base of a sandbox. */
  target: string
  body: string
}

export interface UpstreamAnswer {
  status: number
  contentType: string
  body: string
}

export interface Upstream {
  /** Fails where nobody answers. */
  ask(request: UpstreamRequest): Promise<UpstreamAnswer>
  /** Follows a subscription until the result is called. */
  follow(subscription: UpstreamSubscription, listener: UpstreamListener): () => void
}

/** So long an answer is waited for. */
const WAIT_MS = 30_000

/** @param sign puts a signature in the place of the client's; null leaves that as it is */
export function upstreamAt(url: string, sign: ((target: string) => string) | null): Upstream {
  const base = url.replace(/\/$/, '')
  const socketBase = base.replace(/^http/, 'ws')
  const signed = (target: string) => (sign ? sign(target) : target)
  return {
    async ask({ method, target, body }) {
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const answer = await fetch(base + signed(target), {
        method,
        signal: AbortSignal.timeout(WAIT_MS),
        redirect: 'manual',
        ...(hasBody ? { body, headers: { 'content-type': 'application/json' } } : {}),
      })
      const contentType = answer.headers.get('content-type') ?? 'application/octet-stream'
      return { status: answer.status, contentType, body: await answer.text() }
    },
    follow: ({ target, command, ping }, listener) =>
      followUpstream(() => socketBase + signed(target), { command, ping }, listener, WAIT_MS),
  }
}
