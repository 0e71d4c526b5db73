/** The real service, asked for what a recording does not have. */

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
}

/** So long an answer is waited for. */
const WAIT_MS = 30_000

/** @param sign puts a signature in the place of the client's; null leaves that as it is */
export function upstreamAt(url: string, sign: ((target: string) => string) | null): Upstream {
  const base = url.replace(/\/$/, '')
  return {
    async ask({ method, target, body }) {
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const answer = await fetch(base + (sign ? sign(target) : target), {
        method,
        signal: AbortSignal.timeout(WAIT_MS),
        redirect: 'manual',
        ...(hasBody ? { body, headers: { 'content-type': 'application/json' } } : {}),
      })
      const contentType = answer.headers.get('content-type') ?? 'application/octet-stream'
      return { status: answer.status, contentType, body: await answer.text() }
    },
  }
}
