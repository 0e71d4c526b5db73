import { Complaint } from '../../complaint.ts'
import { cut as cutTape } from '../../tape/cut.ts'
import { importTape } from '../../tape/import.ts'
import { merge as mergeTapes } from '../../tape/merge.ts'
import { openTape } from '../../tape/reader.ts'
import { synthesise, synthInstruments } from '../../tape/synth/index.ts'
import { createTape } from '../../tape/writer.ts'
import { files, oneFile, readFlags, required, wholeNumber } from './flags.ts'
import { readMoment } from './moment.ts'
import { written } from './report.ts'

const TEXT = { type: 'string' } as const

/** `tape import`: a recording becomes a tape. */
export async function importFiles(args: string[]): Promise<number> {
  const options = { out: TEXT, from: TEXT, resync: { type: 'boolean' } } as const
  const { flags, rest } = readFlags(args, options)
  const out = required('out', flags.out)
  const { from, resync = false } = flags
  const wish = from === undefined ? { resync } : { from, resync }
  const report = await importTape(files('import', rest, 1), out, wish)
  console.log(`${written(out, report.header)}; ${report.lines} lines of ${report.form}`)
  for (const [what, count] of report.leftOut) console.log(`  left out: ${count} x ${what}`)
  return 0
}

/** `tape cut`: a part of a tape. */
export async function cut(args: string[]): Promise<number> {
  const { flags, rest } = readFlags(args, { out: TEXT, from: TEXT, to: TEXT, coins: TEXT })
  const source = oneFile('cut', rest)
  const out = required('out', flags.out)
  const { startMs } = (await openTape(source)).header
  const { from, to, coins } = flags
  const header = await cutTape(source, out, {
    ...(from === undefined ? {} : { fromMs: readMoment('from', from, startMs) }),
    ...(to === undefined ? {} : { toMs: readMoment('to', to, startMs) }),
    ...(coins === undefined ? {} : { coins: coins.split(',').map((coin) => coin.trim()) }),
  })
  console.log(written(out, header))
  return 0
}

/** `tape merge`: several tapes as one. */
export async function merge(args: string[]): Promise<number> {
  const { flags, rest } = readFlags(args, { out: TEXT })
  const out = required('out', flags.out)
  console.log(written(out, await mergeTapes(files('merge', rest, 2), out)))
  return 0
}

/** `tape synth`: a market made from a seed. */
export async function synth(args: string[]): Promise<number> {
  const { flags, rest } = readFlags(args, { out: TEXT, seed: TEXT, minutes: TEXT })
  if (rest.length > 0) throw new Complaint(`tape synth takes no file, "${rest[0]}" was given`)
  const out = required('out', flags.out)
  const seed = wholeNumber('seed', required('seed', flags.seed))
  const minutes = wholeNumber('minutes', flags.minutes ?? '20')
  const source = minutes === 20 ? `synth seed ${seed}` : `synth seed ${seed}, ${minutes} minutes`
  const events = synthesise({ seed, minutes })
  const tape = await createTape(out, { source, instruments: synthInstruments() })
  try {
    for (const event of events) {
      const full = tape.write(event)
      if (full) await full
    }
    console.log(written(out, await tape.finish()))
    return 0
  } finally {
    await tape.abandon()
  }
}
