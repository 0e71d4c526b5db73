import { Complaint } from '../../complaint.ts'
import { TABLES, type TableName } from '../schema/statements.ts'
import { Packing, type Parcel } from './parcel.ts'
import type { Order, Report } from './row-worker.ts'
import type { Row, Rows } from './rows.ts'

/** Parcels that may be under way; more would only take memory. */
const MOST_UNDER_WAY = 24

/** Rows of a new world, written into a file by a thread of its own. */
export class RemoteRows implements Rows {
  readonly counts: Record<string, number> = Object.fromEntries(TABLES.map((name) => [name, 0]))
  private readonly worker = new Worker(new URL('./row-worker.ts', import.meta.url).href)
  private readonly packing = new Packing()
  private underWay = 0
  private failure: Error | null = null
  private wake = () => {}

  constructor(file: string) {
    this.worker.onmessage = ({ data }: MessageEvent<Report>) => this.heard(data)
    this.worker.onerror = ({ message }) => this.heard({ failed: message })
    this.tell({ order: 'open', file })
  }

  add<N extends TableName>(name: N, row: Row<N>): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1
    if (this.packing.add(name, row)) this.send()
  }

  index(): void {
    this.send()
    this.tell({ order: 'index' })
  }

  keepUp(): Promise<void> | undefined {
    if (this.failure) throw this.failure
    return this.underWay > MOST_UNDER_WAY ? this.until(MOST_UNDER_WAY) : undefined
  }

  async finish(): Promise<void> {
    this.send()
    this.tell({ order: 'finish' })
    await this.until(0)
  }

  /** Ends the thread, finished or not. */
  close(): void {
    this.worker.terminate()
  }

  private send(): void {
    this.tell({ order: 'write', parcel: this.packing.take() })
  }

  private tell(order: Order): void {
    this.underWay++
    this.worker.postMessage(order, order.order === 'write' ? buffers(order.parcel) : [])
  }

  private heard(report: Report): void {
    if ('failed' in report) this.failure ??= broken(report.failed)
    this.underWay--
    this.wake()
  }

  private async until(most: number): Promise<void> {
    while (this.underWay > most && !this.failure)
      await new Promise<void>((resume) => {
        this.wake = resume
      })
    if (this.failure) throw this.failure
  }
}

const broken = (why: string) =>
  new Complaint(`cannot write the world (${why}): make room there, or name another cache folder`)

const buffers = ({ tables, numbers }: Parcel) => [
  tables.buffer as ArrayBuffer,
  numbers.buffer as ArrayBuffer,
]
