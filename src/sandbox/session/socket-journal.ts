/** Writes the events and the frames of one socket into its sandbox's journal. */
import type { Refusal } from '../../contract/refusal.ts'
import type { HttpResponse } from '../pipeline/http-message.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ApiKey } from '../tenancy/api-key.ts'

export class SocketJournal {
  constructor(
    private readonly sandbox: Sandbox,
    readonly connection: number,
    readonly path: string,
    private readonly key: string | null,
  ) {}

  opened(): void {
    this.recordEvent('opened', null, null)
  }

  closed(code: number | null, reason: string): void {
    this.recordEvent('closed', code, reason)
  }

  /** A rule of a scenario has acted on the connection. */
  faultApplied(rule: string, subject: string): void {
    this.recordEvent('fault', null, subject, rule)
  }

  /** Frames of one moment, in order. */
  frames(direction: 'in' | 'out', texts: readonly string[]): void {
    const { journal } = this.sandbox
    if (!journal.isOn) return
    const { sessionMs, tapeMs, key } = entryHeaderOf(this.sandbox, this.key)
    const { connection, path } = this
    journal.recordFrames({ sessionMs, tapeMs, key, direction, connection, path }, texts)
  }

  private recordEvent(
    event: 'opened' | 'closed' | 'fault',
    status: number | null,
    subject: string | null,
    rule: string | null = null,
  ): void {
    const { journal } = this.sandbox
    if (!journal.isOn) return
    const { sessionMs, tapeMs, key } = entryHeaderOf(this.sandbox, this.key)
    const { connection, path } = this
    journal.record({
      kind: 'socket',
      event,
      connection,
      path,
      sessionMs,
      tapeMs,
      key,
      status,
      refused: null,
      subject,
      rule,
    })
  }
}

/** An upgrade that was answered instead of let in. */
interface RefusedSocket {
  path: string
  /** Whose it is, where that is known. */
  key: ApiKey | null
  /** null when a rule gave another answer. */
  refusal: Refusal | null
  answer: Pick<HttpResponse, 'status'>
  /** Rules that acted. */
  rules: string
}

/** A connection that was not let in. */
export function journalRefusedSocket(
  sandbox: Sandbox,
  { path, key, refusal, answer, rules }: RefusedSocket,
): void {
  const { journal } = sandbox
  if (!journal.isOn) return
  journal.record({
    kind: 'socket',
    event: 'refused',
    connection: null,
    path,
    ...entryHeaderOf(sandbox, key?.accessKey ?? null),
    status: answer.status,
    refused: refusal?.refused ?? null,
    subject: null,
    rule: rules || null,
  })
}

function entryHeaderOf(sandbox: Sandbox, key: string | null) {
  return { sessionMs: sandbox.clock.nowMs(), tapeMs: sandbox.position().atMs, key }
}
