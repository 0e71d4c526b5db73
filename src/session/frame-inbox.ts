/** The messages of one client, acted on one after another in the turns of its sandbox. */
import type { Slices } from '../clock/turns.ts'

type Message = string | Uint8Array

/** A session as far as it takes messages. */
interface ReceivingSession {
  /** Acts on a message. */
  receive(message: Message): Slices<void>
  close(reason: string, code: number): void
}

/** Messages of one client that wait for their turn. */
const WAITING_MAX = 10_000
/** Their characters and bytes in all. */
const WAITING_LENGTH_MAX = 8 << 20

export class FrameInbox {
  private readonly waiting: Message[] = []
  private waitingLength = 0
  private isAtWork = false

  /** @param inTurns does work in the turns of the sandbox */
  constructor(
    private readonly session: ReceivingSession,
    private readonly inTurns: (work: Slices<void>) => unknown,
  ) {}

  /** Acts on a message when those before it were; closes when too much waits. */
  receive(message: Message): void {
    const isTooMuch = this.waiting.length >= WAITING_MAX || this.waitingLength >= WAITING_LENGTH_MAX
    if (isTooMuch) return this.refuse()
    this.waiting.push(message)
    this.waitingLength += message.length
    if (this.isAtWork) return
    this.isAtWork = true
    this.inTurns(this.working())
  }

  private refuse(): void {
    const most = `at most ${WAITING_MAX}, of ${WAITING_LENGTH_MAX} bytes`
    const { waiting, waitingLength } = this
    this.session.close(`${waiting.length} frames wait, of ${waitingLength} bytes: ${most}`, 1008)
  }

  private *working(): Slices<void> {
    try {
      for (let message = this.take(); message !== undefined; message = this.take()) {
        yield* this.session.receive(message)
        if (this.waiting.length > 0) yield
      }
    } finally {
      this.isAtWork = false
    }
  }

  private take(): Message | undefined {
    const message = this.waiting.shift()
    this.waitingLength -= message?.length ?? 0
    return message
  }
}
