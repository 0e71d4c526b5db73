/**
 * Memory that the main thread and the watchdog share: a beat, whether the server is ready, and a
 * label of the work that has the thread. Written without locks: while the thread is held it stands
 * still, and only then is the label read.
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

  /** Changes whenever the event loop comes round. */
  get beat(): number {
    return Atomics.load(this.numbers, BEAT)
  }

  /** The event loop has come round. */
  noteBeat(isReady: boolean): void {
    Atomics.store(this.numbers, READY, isReady ? 1 : 0)
    Atomics.add(this.numbers, BEAT, 1)
  }

  get isReady(): boolean {
    return Atomics.load(this.numbers, READY) === 1
  }

  /** Work begins that is called so, UTF-8. */
  begin(label: Uint8Array): void {
    this.label.set(label)
    this.numbers[LABEL_LENGTH] = label.length
  }

  /** What began has ended. */
  end(): void {
    this.numbers[LABEL_LENGTH] = 0
  }

  /** What has the thread; null for what no label is of. */
  get current(): string | null {
    const length = Atomics.load(this.numbers, LABEL_LENGTH)
    return length === 0 ? null : new TextDecoder().decode(this.label.slice(0, length))
  }

  /** A signal ends the process at once from now on, as the main thread cannot hear it. */
  noteSignalsReset(): void {
    Atomics.store(this.numbers, SIGNALS_RESET, 1)
  }

  /** Whether signals were reset since this was last asked for. */
  takeSignalsReset(): boolean {
    return Atomics.exchange(this.numbers, SIGNALS_RESET, 0) === 1
  }
}

/** A label as bytes, as much of it as there is room for. */
export const labelBytes = (text: string): Uint8Array =>
  new TextEncoder().encode(text).slice(0, LABEL_BYTES)
