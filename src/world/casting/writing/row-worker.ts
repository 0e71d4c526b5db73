/** The thread that writes a new world while another one casts it. */
import { Database } from 'bun:sqlite'
import type { TableLayouts } from '../../schema/table-layout.ts'
import type { DerivedRows } from './derived-rows.ts'
import { type RowBatch, unpackRows } from './row-batch.ts'
import { RowWriter } from './row-writer.ts'

/** Commands of the thread, carried out in order. */
export type WorkerCommand =
  | { command: 'open'; file: string; layout: TableLayouts; lasts: boolean }
  | { command: 'write'; batch: RowBatch }
  | { command: 'derive'; order: DerivedRows }
  | { command: 'index' }
  | { command: 'keep'; events: number; rows: number }
  | { command: 'finish' }

/** Its reply to each of them. */
export type WorkerReply =
  | { completed: WorkerCommand['command']; counts: Record<string, number> }
  | { failed: string }

declare const self: Worker

let layout: TableLayouts = []
let db: Database | null = null
let writer: RowWriter | null = null
let hasFailed = false

self.onmessage = ({ data }: MessageEvent<WorkerCommand>) => {
  if (hasFailed) return
  try {
    execute(data)
    report({ completed: data.command, counts: writer?.counts ?? {} })
    if (data.command === 'finish') process.exit()
  } catch (error) {
    hasFailed = true
    db?.close()
    report({ failed: error instanceof Error ? error.message : String(error) })
  }
}

const report = (reply: WorkerReply) => postMessage(reply)

function execute(command: WorkerCommand): void {
  switch (command.command) {
    case 'open':
      db = new Database(command.file, { create: true, strict: true })
      layout = command.layout
      writer = new RowWriter(db, layout, command.lasts)
      return
    case 'write':
      return unpackRows(command.batch, layout, (name, values) => writer?.write(name, values))
    case 'derive':
      return writer?.derive(command.order)
    case 'index':
      return writer?.createIndexes()
    case 'keep':
      return writer?.keep(command.events, command.rows)
    case 'finish':
      writer?.finish()
      db?.close()
  }
}
