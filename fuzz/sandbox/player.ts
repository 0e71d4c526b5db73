/** Puts the steps of a script to a sandbox, and holds each answer against what must be true. */
import { OPERATIONS } from '../../src/contract/index.ts'
import { prefixedPaths } from '../../src/contract/paths.ts'
import { routeOf } from '../../src/control/control-operation.ts'
import { CONTROL_OPERATIONS } from '../../src/control/operations.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { MemorySocket } from '../../src/transport/memory/memory-transport.ts'
import { BrokenInvariant, invariant } from '../door.ts'
import { changed } from '../mutations.ts'
import { frameOf } from './frame-text.ts'
import { type Market, signedAt } from './market.ts'
import { quotaGaps } from './quota-sums.ts'
import type { ControlStep, RequestStep, Step } from './steps.ts'

/** Sandboxes that scripts make are called so, or `s1`, `s2`, …; the first is the script's own. */
export const FUZZED_ID = 'fuzzed'

type Signed = Pick<RequestStep, 'role' | 'signature'>

export class ScriptPlayer {
  private readonly sockets: MemorySocket[] = []

  constructor(private readonly market: Market) {}

  async play(step: Step): Promise<void> {
    switch (step.step) {
      case 'request':
        return this.request(step)
      case 'control':
        return this.control(step)
      case 'connect':
        return this.connect(step)
      case 'frame':
        return this.sockets[step.on % this.sockets.length]?.send(frameOf(step.frame))
      case 'close':
        return this.sockets[step.on % this.sockets.length]?.close()
      case 'restore':
        return this.restore(step.edits)
    }
  }

  /** Everything that came on a socket is JSON, unless a fault was asked for. */
  checkFrames(): void {
    for (const { frames } of this.sockets)
      for (const frame of frames)
        invariant(isJson(frame), () => `a frame is no JSON: ${frame.slice(0, 200)}`)
  }

  private get sandbox(): Sandbox | undefined {
    return this.market.registry.get(FUZZED_ID)
  }

  private async request(step: RequestStep): Promise<void> {
    const operation = OPERATIONS.find(({ id }) => id === step.operation)
    const { sandbox } = this
    if (!operation || !sandbox) return
    const [at = ''] = prefixedPaths([operation.path])
    const query = new URLSearchParams(textsOf(step.query)).toString()
    const url = `/s/${FUZZED_ID}${filled(at, step.path)}?${this.signature(sandbox, step)}&${query}`
    const before = quotaGaps(sandbox)
    const entries: { status: number; rule: string | null }[] = []
    const release = sandbox.journal.listen((entry) => {
      if (entry.kind === 'request') entries.push(entry)
    })
    const body = step.body === null ? '' : textOf(step.body)
    const answer = await this.market.transport.request(operation.method, url, body)
    release()
    if (sandbox.journal.isOn)
      invariant(entries.length === 1, () => `${entries.length} entries in the journal`)
    const rule = entries[0]?.rule ?? null
    const isFaulty = rule !== null || sandbox.faultInjection.activeScenarios.length > 0
    invariant(answer.status < 500 || isFaulty, () => `status ${answer.status}: ${answer.body}`)
    invariant(isJson(answer.body) || isFaulty, () => `no JSON: ${answer.body.slice(0, 200)}`)
    // A key that was deleted takes its count along, and leaves the sum as it was.
    if (operation.method !== 'DELETE' && operation.method !== 'POST' && !isFaulty)
      invariant(quotaGaps(sandbox) === before, () => `sums of quotas: ${quotaGaps(sandbox)}`)
  }

  private async control({ operation: id, path, query, body }: ControlStep): Promise<void> {
    const operation = CONTROL_OPERATIONS.find((one) => one.id === id)
    if (!operation) return
    const params = { ...textsOf(path), id: FUZZED_ID }
    const answer = await routeOf(operation, this.market.registry).answer({
      params,
      query: new URLSearchParams(textsOf(query)).toString(),
      body: body === null ? '' : textOf(operation.id === 'sandbox.create' ? named(body) : body),
      headers: new Headers(),
      origin: 'http://localhost:4010',
    })
    invariant(answer.status < 500, () => `status ${answer.status}: ${answer.body}`)
    if (typeof answer.body !== 'string') throw new BrokenInvariant('a stream was not asked for')
    const read = JSON.parse(answer.body)
    if (answer.status >= 400)
      invariant(typeof read.error === 'string', () => `no error: ${answer.body}`)
  }

  private async connect({ socket, ...signed }: { socket: string } & Signed): Promise<void> {
    const { sandbox } = this
    if (!sandbox) return
    const url = `/s/${FUZZED_ID}/api/upgrade/v2${socket}?${this.signature(sandbox, signed)}`
    const opened = await this.market.transport.connect(url)
    if ('frames' in opened) this.sockets.push(opened)
    else
      invariant(
        opened.status < 500 || sandbox.faultInjection.activeScenarios.length > 0,
        () => `status ${opened.status} of a socket: ${opened.body}`,
      )
  }

  private async restore(edits: Parameters<typeof changed>[1]): Promise<void> {
    const operation = CONTROL_OPERATIONS.find(({ id }) => id === 'snapshot.get')
    if (!operation || !this.sandbox) return
    const { body } = await routeOf(operation, this.market.registry).answer({
      params: { id: FUZZED_ID },
      query: '',
      body: '',
      headers: new Headers(),
      origin: 'http://localhost:4010',
    })
    const snapshot = changed(JSON.parse(String(body)), edits)
    await this.control({
      step: 'control',
      operation: 'snapshot.put',
      path: {},
      query: {},
      body: snapshot,
    })
  }

  private signature(sandbox: Sandbox, { role, signature }: Signed): string {
    if (signature === 'missing') return ''
    const { accessKey, secretKey } = sandbox.keys[role]
    const secret = signature === 'wrong' ? `${secretKey}x` : secretKey
    const key = { accessKey, secretKey: secret }
    return signedAt(this.market.systemClock, key, signature === 'late' ? 45 : 0)
  }
}

/** A new sandbox on the world that there is: to cast others is another door's work. */
function named(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { seed: _, tape: __, ...rest } = body as Record<string, unknown>
  return rest
}

const filled = (at: string, path: Record<string, unknown>) =>
  at.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(path[name] ?? 'x').toWellFormed()))

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const textsOf = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
