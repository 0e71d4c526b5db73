import path from 'node:path'
import { InexactAmount } from '../../../decimal/quantity.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { BarColumns } from '../../bars/past-bars.ts'
import { TABLES, type TableName, tableLayouts } from '../../schema/statements.ts'
import { type BarDrawing, drawBars } from '../history/drawn-bars.ts'
import type { DerivedRows } from './derived-rows.ts'
import type { KeptCasting } from './kept-casting.ts'
import type { TableRow } from './row-sink.ts'
import type { WorkerCommand, WorkerReply } from './row-worker.ts'
import { type RowBatch, RowPacker } from './row-writer.ts'
import type { WorldSink } from './world-sink.ts'

/** Limit of batches in flight; more would only take memory. */
const IN_FLIGHT_MAX = 24

/**
 * One in so many bars is drawn by the casting thread, which would otherwise wait for the last ones.
 */
const DRAWN_HERE_EVERY = 3

/** A checkpoint does not match this casting: it is from another program version. */
export class OtherCasting extends Error {}

/**
 * Writes the rows of a new world into a file on a thread of its own. Where the file has a
 * checkpoint, its number of rows is skipped: they come again, and are the same.
 */
export class WorkerRowSink implements WorldSink {
  readonly finalMs = Number.NEGATIVE_INFINITY
  counts: Readonly<Record<string, number>> = Object.fromEntries(TABLES.map((name) => [name, 0]))
  // Without a suffix: resolves to the source in a checkout and to the built file in a build.
  private readonly worker = new Worker(path.join(import.meta.dir, 'row-worker'))
  private readonly packer = new RowPacker(tableLayouts())
  private inFlight = 0
  private isFinished = false
  private failure: Error | null = null
  private wake = () => {}
  /** Pending drawings of bars, in order. */
  private readonly drawings: Pick<PromiseWithResolvers<BarColumns>, 'resolve' | 'reject'>[] = []
  private drawn = 0
  /** Rows written or skipped so far. */
  private rows = 0
  private isBehind: boolean

  /**
   * @param keepEvery checkpoint interval in events of the tape; 0 for none
   * @param kept the file's checkpoint
   */
  constructor(
    file: string,
    private readonly keepEvery = 0,
    private readonly kept: KeptCasting | null = null,
  ) {
    this.isBehind = kept !== null
    this.worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => this.onReply(data)
    this.worker.onerror = ({ message }) => this.onReply({ failed: message })
    this.post({ command: 'open', file, layout: tableLayouts(), lasts: keepEvery > 0 })
  }

  add<N extends TableName>(name: N, row: TableRow<N>): void {
    this.rows++
    if (!this.isBehind && this.packer.add(name, row)) this.sendBatch()
  }

  derive(order: DerivedRows): void {
    if (!this.isBehind) this.post({ command: 'derive', order })
  }

  reached(events: number): void {
    if (this.keepEvery === 0 || events % this.keepEvery !== 0) return
    if (!this.isBehind) {
      this.sendBatch()
      this.post({ command: 'keep', events, rows: this.rows })
    } else if (events === this.kept?.events) {
      if (this.rows !== this.kept.rows) throw new OtherCasting()
      this.isBehind = false
    }
  }

  draw(drawing: BarDrawing): BarColumns | Promise<BarColumns> {
    if (++this.drawn % DRAWN_HERE_EVERY === 0) return drawBars(drawing)
    this.post({ command: 'draw', drawing })
    return new Promise((resolve, reject) => this.drawings.push({ resolve, reject }))
  }

  async settled(): Promise<void> {
    this.sendBatch()
    await this.waitUntil(0)
  }

  createIndexes(): void {
    if (this.isBehind) return
    this.sendBatch()
    this.post({ command: 'index' })
  }

  drain(): Promise<void> | undefined {
    if (this.failure) throw this.failure
    return this.inFlight > IN_FLIGHT_MAX ? this.waitUntil(IN_FLIGHT_MAX) : undefined
  }

  async finish(): Promise<void> {
    this.sendBatch()
    this.post({ command: 'finish' })
    await this.waitUntil(0)
    this.isFinished = true
  }

  /** Terminates the thread; a finished one ends by itself, which takes a while. */
  close(): void {
    if (!this.isFinished) this.worker.terminate()
  }

  private sendBatch(): void {
    this.post({ command: 'write', batch: this.packer.take() })
  }

  private post(command: WorkerCommand): void {
    this.inFlight++
    this.worker.postMessage(command, command.command === 'write' ? buffers(command.batch) : [])
  }

  private onReply(reply: WorkerReply): void {
    if ('failed' in reply) this.fail(failureOf(reply))
    else {
      this.counts = reply.counts
      if (reply.bars) this.drawings.shift()?.resolve(reply.bars)
    }
    this.inFlight--
    this.wake()
  }

  private fail(failure: Error): void {
    this.failure ??= failure
    for (const { reject } of this.drawings.splice(0)) reject(this.failure)
  }

  private async waitUntil(max: number): Promise<void> {
    while (this.inFlight > max && !this.failure)
      await new Promise<void>((resume) => {
        this.wake = resume
      })
    if (this.failure) throw this.failure
  }
}

const failureOf = ({ failed, inexact }: Extract<WorkerReply, { failed: string }>) =>
  inexact === undefined
    ? new UserError(
        `cannot write the world (${failed}): make room there, ` +
          'or set TAPEWRIGHT_CACHE to another folder',
      )
    : new InexactAmount(inexact)

const buffers = ({ tables, numbers }: RowBatch) => [
  tables.buffer as ArrayBuffer,
  numbers.buffer as ArrayBuffer,
]
