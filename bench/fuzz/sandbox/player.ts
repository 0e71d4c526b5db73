/** Runs a script's steps against a sandbox, and checks invariants on each response. */
import { OPERATIONS } from '../../../src/contract/catalogue.ts'
import { operationPath } from '../../../src/contract/paths.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import type { MemorySocket } from '../../../src/server/transport/memory/memory-transport.ts'
import { invariant } from '../fuzz-target.ts'
import { changed } from '../mutations.ts'
import { callControl, FUZZED_ID } from './control-call.ts'
import { frameOf } from './frame-text.ts'
import { type Market, signedAt } from './market.ts'
import { quotaGaps } from './quota-sums.ts'
import type { ConnectStep, ControlStep, RequestStep, Step } from './steps.ts'

type Signed = Pick<RequestStep, 'role' | 'signature'>

export class ScriptPlayer {
  private readonly sockets: MemorySocket[] = []
  private readonly pending: Promise<void>[] = []
  /** Whether the script has dropped its sandbox. */
  private isDropped = false

  constructor(private readonly market: Market) {}

  async play(step: Step): Promise<void> {
    switch (step.step) {
      case 'request':
        return this.request(step)
      case 'control':
        return this.awaited(this.control(step), step.waits)
      case 'connect':
        return this.connect(step)
      case 'frame':
        return this.sockets[step.on % this.sockets.length]?.send(frameOf(step.frame))
      case 'close':
        return this.sockets[step.on % this.sockets.length]?.close()
      case 'restore':
        return this.awaited(this.restore(step.edits), step.waits)
    }
  }

  /** Awaits responses that no step has awaited. */
  async settle(): Promise<void> {
    await Promise.all(this.pending)
    invariant(!this.isDropped || !this.sandbox, () => 'a sandbox that was dropped is back')
  }

  /** Checks that every frame is JSON, unless a fault was requested. */
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
    const at = operationPath(operation)
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
    // An answer to an open question may be a fault of the service.
    const isAnswer = operation.refuses.includes('fault')
    invariant(
      answer.status < 500 || isFaulty || isAnswer,
      () => `status ${answer.status}: ${answer.body}`,
    )
    invariant(isJson(answer.body) || isFaulty, () => `no JSON: ${answer.body.slice(0, 200)}`)
    // A deleted key removes its usage, and leaves the sum unchanged.
    if (operation.method !== 'DELETE' && operation.method !== 'POST' && !isFaulty)
      invariant(quotaGaps(sandbox) === before, () => `sums of quotas: ${quotaGaps(sandbox)}`)
  }

  private async awaited(answered: Promise<void>, waits: boolean): Promise<void> {
    if (waits) return answered
    // Its error is thrown at the end of the script.
    answered.catch(() => {})
    this.pending.push(answered)
  }

  private async control({ operation, path, query, body }: ControlStep): Promise<void> {
    const sent = operation === 'sandbox.create' ? onTheSameWorld(body) : body
    const text = new URLSearchParams(textsOf(query)).toString()
    const { registry } = this.market
    const { status } = await callControl(registry, operation, sent, textsOf(path), text)
    if (operation === 'sandbox.drop' && status === 200) this.isDropped = true
  }

  private async connect({ socket, frames, ...signed }: ConnectStep): Promise<void> {
    const { sandbox } = this
    if (!sandbox) return
    const url = `/s/${FUZZED_ID}/api/upgrade/v2${socket}?${this.signature(sandbox, signed)}`
    const opened = await this.market.transport.connect(url)
    if ('frames' in opened) {
      this.sockets.push(opened)
      for (const frame of frames) opened.send(frameOf(frame))
    } else
      invariant(
        opened.status < 500 || sandbox.faultInjection.activeScenarios.length > 0,
        () => `status ${opened.status} of a socket: ${opened.body}`,
      )
  }

  private async restore(edits: Parameters<typeof changed>[1]): Promise<void> {
    const { registry } = this.market
    const { status, json } = await callControl(registry, 'snapshot.get', null)
    if (status === 200) await callControl(registry, 'snapshot.put', changed(json, edits))
  }

  private signature(sandbox: Sandbox, { role, signature }: Signed): string {
    if (signature === 'missing') return ''
    const { accessKey, secretKey } = sandbox.keys[role]
    const secret = signature === 'wrong' ? `${secretKey}x` : secretKey
    const key = { accessKey, secretKey: secret }
    return signedAt(this.market.systemClock, key, signature === 'late' ? 45 : 0)
  }
}

/** A new sandbox on the existing world: casting others is another target's work. */
function onTheSameWorld(body: unknown): unknown {
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
