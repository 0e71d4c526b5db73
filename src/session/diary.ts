/** Writes the life and the frames of one socket into its sandbox's journal. */
import type { Refusal } from '../contract/refusal.ts'
import { refusalForm } from '../contract/refusal-body.ts'
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

  /** A rule of a scenario has acted on the connection. */
  troubled(scenario: string, about: string): void {
    this.live('troubled', null, about, scenario)
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

  private live(
    event: 'opened' | 'closed' | 'troubled',
    status: number | null,
    about: string | null,
    scenario: string | null = null,
  ): void {
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
      scenario,
    })
  }
}

/** A connection that was not let in. */
export function refusedEntry(
  sandbox: Sandbox,
  path: string,
  refusal: Refusal,
  acted: string,
): void {
  const { journal } = sandbox
  if (!journal.isOn) return
  const { status } = refusalForm(refusal, sandbox.answers)
  const stamp = stampOf(sandbox, null)
  const { refused } = refusal
  const [connection, about, event] = [null, null, 'refused'] as const
  const scenario = acted || null
  const life = { kind: 'socket', event, connection, path } as const
  journal.record({ ...life, ...stamp, status, refused, about, scenario })
}

function stampOf(sandbox: Sandbox, key: string | null) {
  return { sessionMs: sandbox.clock.nowMs(), tapeMs: sandbox.here().atMs, key }
}

const kept = (text: string) => (text.length > KEPT ? text.slice(0, KEPT) : text)
