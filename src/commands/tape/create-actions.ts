import { cutTape } from '../../tape/cut.ts'
import { synthesise, synthInstruments } from '../../tape/synth/synthesis.ts'
import { importTape } from '../../tape/tape-import.ts'
import { mergeTapes } from '../../tape/tape-merge.ts'
import { openTape } from '../../tape/tape-reader.ts'
import { createTape } from '../../tape/tape-writer.ts'
import { UserError } from '../../user-error.ts'
import { files, oneFile, readArguments, required, wholeNumberFlag } from './tape-arguments.ts'
import { parseTapeTime } from './tape-time.ts'
import { writtenText } from './text-output.ts'

const TEXT = { type: 'string' } as const

/** `tape import`: a recording becomes a tape. */
export async function importFiles(args: string[]): Promise<number> {
  const options = { out: TEXT, from: TEXT, resync: { type: 'boolean' } } as const
  const { flags, rest } = readArguments(args, options)
  const out = required('out', flags.out)
  const { from, resync = false } = flags
  const request = from === undefined ? { resync } : { from, resync }
  const report = await importTape(files('import', rest, 1), out, request)
  console.log(`${writtenText(out, report.header)}; ${report.lines} lines of ${report.form}`)
  for (const [what, count] of report.leftOut) console.log(`  left out: ${count} x ${what}`)
  return 0
}

/** `tape cut`: a part of a tape. */
export async function cut(args: string[]): Promise<number> {
  const { flags, rest } = readArguments(args, { out: TEXT, from: TEXT, to: TEXT, coins: TEXT })
  const source = oneFile('cut', rest)
  const out = required('out', flags.out)
  const { startMs } = (await openTape(source)).header
  const { from, to, coins } = flags
  const header = await cutTape(source, out, {
    ...(from === undefined ? {} : { fromMs: parseTapeTime('from', from, startMs) }),
    ...(to === undefined ? {} : { toMs: parseTapeTime('to', to, startMs) }),
    ...(coins === undefined ? {} : { coins: coins.split(',').map((coin) => coin.trim()) }),
  })
  console.log(writtenText(out, header))
  return 0
}

/** `tape merge`: several tapes as one. */
export async function merge(args: string[]): Promise<number> {
  const { flags, rest } = readArguments(args, { out: TEXT })
  const out = required('out', flags.out)
  console.log(writtenText(out, await mergeTapes(files('merge', rest, 2), out)))
  return 0
}

/** `tape synth`: a market made from a seed. */
export async function synth(args: string[]): Promise<number> {
  const { flags, rest } = readArguments(args, { out: TEXT, seed: TEXT, minutes: TEXT })
  if (rest.length > 0) throw new UserError(`tape synth takes no file, "${rest[0]}" was given`)
  const out = required('out', flags.out)
  const seed = wholeNumberFlag('seed', required('seed', flags.seed))
  const minutes = wholeNumberFlag('minutes', flags.minutes ?? '20')
  const source = minutes === 20 ? `synth seed ${seed}` : `synth seed ${seed}, ${minutes} minutes`
  const events = synthesise({ seed, minutes })
  const tape = await createTape(out, { source, instruments: synthInstruments() })
  try {
    for (const event of events) {
      const drained = tape.write(event)
      if (drained) await drained
    }
    console.log(writtenText(out, await tape.finish()))
    return 0
  } finally {
    await tape.abandon()
  }
}
