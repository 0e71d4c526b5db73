/** Writes the life and the frames of one socket into its sandbox's journal. */
import type { Refusal } from '../contract/refusal.ts'
import { refusalForm } from '../contract/refusal.ts'
import { KEPT } from '../sandbox/journal/entry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

export class Diary {
  constructor(
    private readonly sandbox: Sandbox,
    private readonly connection: number,
    private readonly path: string,
    private readonly key: string | null,
  ) {}

  opened(): void {
    this.live('opened', null, null)
  }

  closed(code: number | null, reason: string): void {
    this.live('closed', code, reason)
  }

  /** Frames of one moment, in order. */
  frames(direction: 'in' | 'out', texts: readonly string[]): void {
    const { journal } = this.sandbox
    if (!journal.isOn) return
    const stamp = stampOf(this.sandbox, this.key)
    const { connection, path } = this
    for (const text of texts)
      journal.record({ kind: 'frame', direction, connection, path, ...stamp, text: kept(text) })
  }

  private live(event: 'opened' | 'closed', status: number | null, about: string | null): void {
    const { journal } = this.sandbox
    if (!journal.isOn) return
    const stamp = stampOf(this.sandbox, this.key)
    const { connection, path } = this
    journal.record({
      kind: 'socket',
      event,
      connection,
      path,
      ...stamp,
      status,
      refused: null,
      about,
    })
  }
}

/** A connection that was not let in. */
export function refusedEntry(sandbox: Sandbox, path: string, refusal: Refusal): void {
  const { journal } = sandbox
  if (!journal.isOn) return
  const { status } = refusalForm(refusal, sandbox.answers)
  const stamp = stampOf(sandbox, null)
  const { refused } = refusal
  const [connection, about, event] = [null, null, 'refused'] as const
  journal.record({ kind: 'socket', event, connection, path, ...stamp, status, refused, about })
}

function stampOf(sandbox: Sandbox, key: string | null) {
  return { sessionMs: sandbox.clock.nowMs(), tapeMs: sandbox.here().atMs, key }
}

const kept = (text: string) => (text.length > KEPT ? text.slice(0, KEPT) : text)
