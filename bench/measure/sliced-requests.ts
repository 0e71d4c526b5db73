/** Requests in this process, piece by piece: how long each takes, and its longest piece. */
import type { Operation } from '../../src/contract/operation.ts'
import { isRefusal } from '../../src/contract/refusal.ts'
import { credentials } from '../../src/contract/signature.ts'
import { requestWork } from '../../src/sandbox/pipeline/pipeline.ts'
import { routeOf } from '../../src/sandbox/pipeline/router.ts'
import type { Registry } from '../../src/sandbox/registry.ts'
import type { BenchRequest } from './operation-requests.ts'

export interface TimedRequest {
  tookMs: number
  /** So long others would have waited: between two pieces they have their turns. */
  longestMs: number
}

let nonce = 0

/** Asks by the demo key; any answer but 200 is an error. */
export function timedRequest(
  registry: Registry,
  { method, path, body }: BenchRequest,
): TimedRequest {
  const [place = '', asked = ''] = path.split('?')
  const parts = credentials({
    accessKey: 'demo',
    secretKey: 'demo-secret',
    nonce: String(nonce++),
    timestampS: Math.floor(registry.systemClock.nowMs() / 1000),
  })
  const query = [asked, new URLSearchParams({ ...parts })].filter(String).join('&')
  const fullPath = `/api/upgrade/v2${place}`
  const route = routeOf(method, fullPath)
  if (isRefusal(route)) throw new Error(`${path} is no operation`)
  const { operation, params, sandbox } = route
  const text = body === undefined ? '' : JSON.stringify(body)
  const request = { method, path: fullPath, params, query, body: text, sandbox }
  return timed(registry, operation, request, path)
}

function timed(
  registry: Registry,
  operation: Operation,
  request: Parameters<typeof requestWork>[2],
  name: string,
): TimedRequest {
  const startMs = performance.now()
  let beganCpuMs = threadMs()
  const { work } = requestWork(registry, operation, request)
  let [beganMs, longestMs] = [startMs, 0]
  for (;;) {
    const step = work.next()
    const nowMs = performance.now()
    const cpuMs = threadMs()
    longestMs = Math.max(longestMs, Math.min(nowMs - beganMs, cpuMs - beganCpuMs + TICK_MS))
    beganMs = nowMs
    beganCpuMs = cpuMs
    if (!step.done) continue
    const { status, body } = step.value
    if (status !== 200) throw new Error(`${name}: ${status} ${body}`)
    return { tookMs: nowMs - startMs, longestMs }
  }
}

/** Processor time of this thread, ms; counted in ticks. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const TICK_MS = 4
