/** The thread that writes a new world while another one casts it. */
import { Database } from 'bun:sqlite'
import { InexactAmount } from '../../../decimal/quantity.ts'
import type { BarColumns } from '../../bars/past-bars.ts'
import type { TableLayouts } from '../../schema/table-layout.ts'
import { type BarDrawing, drawBars } from '../history/drawn-bars.ts'
import type { DerivedRows } from './derived-rows.ts'
import { type RowBatch, RowUnpacker, RowWriter } from './row-writer.ts'

/** Commands of the thread, executed in order. */
export type WorkerCommand =
  | { command: 'open'; file: string; layout: TableLayouts; lasts: boolean }
  | { command: 'write'; batch: RowBatch }
  | { command: 'derive'; order: DerivedRows }
  | { command: 'draw'; drawing: BarDrawing }
  | { command: 'index' }
  | { command: 'keep'; events: number; rows: number }
  | { command: 'finish' }

/** Reply to a command. */
export type WorkerReply =
  | { completed: WorkerCommand['command']; counts: Record<string, number>; bars?: BarColumns }
  | { failed: string; inexact?: number }

declare const self: Worker

let unpacker: RowUnpacker | null = null
let db: Database | null = null
let writer: RowWriter | null = null
let hasFailed = false

self.onmessage = ({ data }: MessageEvent<WorkerCommand>) => {
  if (hasFailed) return
  try {
    const bars = execute(data)
    report({ completed: data.command, counts: writer?.counts ?? {}, ...(bars ? { bars } : {}) })
    if (data.command === 'finish') process.exit()
  } catch (error) {
    hasFailed = true
    db?.close()
    if (error instanceof InexactAmount) report({ failed: error.message, inexact: error.value })
    else report({ failed: error instanceof Error ? error.message : String(error) })
  }
}

const report = (reply: WorkerReply) => postMessage(reply)

/** Executes a command; returns the bars where it draws some. */
function execute(command: WorkerCommand): BarColumns | undefined {
  switch (command.command) {
    case 'open':
      db = new Database(command.file, { create: true, strict: true })
      unpacker = new RowUnpacker(command.layout)
      writer = new RowWriter(db, command.layout, command.lasts)
      return
    case 'write':
      unpacker?.unpack(command.batch, (place, values) => writer?.write(place, values))
      return
    case 'derive':
      writer?.derive(command.order)
      return
    case 'draw':
      return drawBars(command.drawing)
    case 'index':
      writer?.createIndexes()
      return
    case 'keep':
      writer?.keep(command.events, command.rows)
      return
    case 'finish':
      writer?.finish()
      db?.close()
  }
}
