/**
 * Memory shared by the main thread and the watchdog: a beat, whether the server is ready, and a
 * label of the running work. Written without locks: the label is read only while the thread is
 * blocked, and then it does not change.
 */

const [BEAT, READY, LABEL_LENGTH, SIGNALS_RESET] = [0, 1, 2, 3]
const HEAD_BYTES = 16
const LABEL_BYTES = 240

export class Board {
  private readonly numbers: Int32Array
  private readonly label: Uint8Array

  constructor(readonly buffer = new SharedArrayBuffer(HEAD_BYTES + LABEL_BYTES)) {
    this.numbers = new Int32Array(buffer, 0, HEAD_BYTES / 4)
    this.label = new Uint8Array(buffer, HEAD_BYTES)
  }

  /** Changes with each round of the event loop. */
  get beat(): number {
    return Atomics.load(this.numbers, BEAT)
  }

  /** Notes a round of the event loop. */
  noteBeat(isReady: boolean): void {
    Atomics.store(this.numbers, READY, isReady ? 1 : 0)
    Atomics.add(this.numbers, BEAT, 1)
  }

  get isReady(): boolean {
    return Atomics.load(this.numbers, READY) === 1
  }

  /** Begins labelled work, UTF-8. */
  begin(label: Uint8Array): void {
    this.label.set(label)
    this.numbers[LABEL_LENGTH] = label.length
  }

  /** Ends the labelled work. */
  end(): void {
    this.numbers[LABEL_LENGTH] = 0
  }

  /** The label of the running work; null for none. */
  get current(): string | null {
    const length = Atomics.load(this.numbers, LABEL_LENGTH)
    return length === 0 ? null : new TextDecoder().decode(this.label.slice(0, length))
  }

  /** Signals end the process at once from now on, as the main thread cannot handle them. */
  noteSignalsReset(): void {
    Atomics.store(this.numbers, SIGNALS_RESET, 1)
  }

  /** Whether signals were reset since the last call. */
  takeSignalsReset(): boolean {
    return Atomics.exchange(this.numbers, SIGNALS_RESET, 0) === 1
  }
}

/** A label as bytes, cut to its room. */
export const labelBytes = (text: string): Uint8Array =>
  new TextEncoder().encode(text).slice(0, LABEL_BYTES)
