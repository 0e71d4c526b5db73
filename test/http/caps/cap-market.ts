/** The default world at its first instant, asked as clients ask it. */
import type { SandboxOptions } from '../../../src/sandbox/sandbox-options.ts'
import { memoryTransport } from '../../../src/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../../fixtures/default-recording.ts'
import { signed } from '../../fixtures/fake-market.ts'
import { PREFIX } from '../../fixtures/question-trial.ts'
import type { CapMarket, CapRequest } from './cap.ts'

/** A sandbox of its own on the default world. */
export async function capMarket(options: SandboxOptions = {}): Promise<CapMarket> {
  const { registry, sandbox, cast } = await recordedRegistry(options)
  const transport = memoryTransport(registry)
  const ask = (method: string, path: string, request: CapRequest = {}) => {
    const { path: parts, query, body = {} } = request
    const place = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(parts?.[name] ?? ''))
    const url = `${PREFIX}${place}?${signed('demo', -1)}&${new URLSearchParams(query)}`
    const sent = method === 'POST' ? JSON.stringify(body) : ''
    const { status, body: text } = transport.request(method, url, sent)
    if (status !== 200) throw new Error(`${method} ${place} is ${status}: ${text}`)
    return JSON.parse(text).data
  }
  const known = cast() as unknown as CapMarket['cast']
  return {
    cast: known,
    persona: (name) => known.personas[name]?.address ?? '',
    ask,
    nowMs: sandbox.clock.nowMs(),
    later: (ms) => sandbox.clock.advance(ms),
  }
}
