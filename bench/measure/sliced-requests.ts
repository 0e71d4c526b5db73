/** Requests in this process, slice by slice: the time of each, and its longest slice. */
import type { Operation } from '../../src/contract/operation.ts'
import { isRefusal } from '../../src/contract/refusal.ts'
import { credentials } from '../../src/contract/signature.ts'
import { routeOf } from '../../src/sandbox/pipeline/operation-call.ts'
import { requestWork } from '../../src/sandbox/pipeline/pipeline.ts'
import type { Registry } from '../../src/sandbox/registry.ts'
import type { BenchRequest } from './operation-requests.ts'

export interface TimedRequest {
  tookMs: number
  /** Longest wait of other requests: they get turns between two slices. */
  longestMs: number
}

let nonce = 0

/** Sends a request with the demo key; any response but 200 is an error. */
export function timedRequest(
  registry: Registry,
  { method, path, body }: BenchRequest,
): TimedRequest {
  const [place = '', requested = ''] = path.split('?')
  const parts = credentials({
    accessKey: 'demo',
    secretKey: 'demo-secret',
    nonce: String(nonce++),
    timestampS: Math.floor(registry.systemClock.nowMs() / 1000),
  })
  const query = [requested, new URLSearchParams({ ...parts })].filter(String).join('&')
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
