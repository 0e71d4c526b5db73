/** A socket as a case sees it: frames in order, and every wait bounded. */
import type { CarriedSocket } from './carrier.ts'

export type Frame = Record<string, unknown> & { data?: unknown }

/** How long an answer to a frame may take, ms. */
const ANSWER_MS = 5_000
/** Frames that are looked through for one. */
const MOST_FRAMES = 10_000

/** Where it is said that something does not hold, or cannot be found out. */
interface Judge {
  hold(condition: unknown, says: string, evidence?: unknown): asserts condition
  skip(why: string): never
}

export class ProbeSocket {
  constructor(
    private readonly carried: CarriedSocket,
    private readonly judge: Judge,
  ) {}

  get closeCode(): number | null {
    return this.carried.closeCode
  }

  /** Sends a value as JSON. */
  say(frame: unknown): void {
    this.carried.send(JSON.stringify(frame))
  }

  /** Sends text or bytes as they are. */
  send(data: string | Uint8Array): void {
    this.carried.send(data)
  }

  /** Sends a ping of the protocol. */
  ping(): void {
    if (!this.carried.ping) this.judge.skip('the carrier cannot send pings of the protocol')
    this.carried.ping()
  }

  close(): void {
    this.carried.close()
  }

  /** The next frame; null when none has come in time. */
  async next(ms = ANSWER_MS): Promise<Frame | null> {
    if (this.carried.frames.length === 0) await this.carried.stirred(ms)
    const text = this.carried.frames.shift()
    if (text === undefined) return null
    return this.read(text)
  }

  /** The first frame that is meant, the others dropped; a Finding when none comes. */
  async until(meant: (frame: Frame) => boolean, says: string, ms = ANSWER_MS): Promise<Frame> {
    const others: Frame[] = []
    for (let count = 0; count < MOST_FRAMES; count++) {
      const frame = await this.next(ms)
      if (frame === null) break
      if (meant(frame)) return frame
      others.push(frame)
    }
    this.judge.hold(false, says, { received: others.slice(-5), closeCode: this.closeCode })
  }

  /** All frames that are there now, without waiting. */
  heard(): Frame[] {
    return this.carried.frames.splice(0).map((text) => this.read(text))
  }

  /** The code with which it was closed; null when it is open after so long. */
  async closed(ms = ANSWER_MS): Promise<number | null> {
    for (let count = 0; this.carried.closeCode === null && count < MOST_FRAMES; count++) {
      this.carried.frames.length = 0
      await this.carried.stirred(ms)
      if (this.carried.closeCode === null && this.carried.frames.length === 0) return null
    }
    return this.carried.closeCode
  }

  private read(text: string): Frame {
    const frame = readJson(text)
    this.judge.hold(isFrame(frame), 'every frame is a JSON object', text.slice(0, 500))
    return frame
  }
}

const isFrame = (value: unknown): value is Frame =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
