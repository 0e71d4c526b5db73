import { cutTape } from '../../tape/cut.ts'
import { synthesise, synthInstruments } from '../../tape/synth/synthesis.ts'
import { mergeTapes } from '../../tape/tape-merge.ts'
import { openTape } from '../../tape/tape-reader.ts'
import { createTape } from '../../tape/tape-writer.ts'
import type { Run } from '../command.ts'
import type { TAPE_CUT, TAPE_MERGE, TAPE_SYNTH } from './declarations.ts'
import { synthesisOf } from './synth-flags.ts'
import { tapeOf, tapesOf } from './tape-argument.ts'
import { parseTapeTime } from './tape-time.ts'
import { writtenText } from './text-output.ts'

/** `tape cut`: a part of a tape. */
export const cut: Run<typeof TAPE_CUT> = async ({ flags, rest }) => {
  const source = tapeOf(rest)
  const { startMs } = (await openTape(source)).header
  const { out, from, to, coins } = flags
  const header = await cutTape(source, out, {
    ...(from === undefined ? {} : { fromMs: parseTapeTime('from', from, startMs) }),
    ...(to === undefined ? {} : { toMs: parseTapeTime('to', to, startMs) }),
    ...(coins === undefined ? {} : { coins: coins.split(',').map((coin) => coin.trim()) }),
  })
  console.log(writtenText(out, header))
  return 0
}

/** `tape merge`: several tapes as one. */
export const merge: Run<typeof TAPE_MERGE> = async ({ flags: { out }, rest }) => {
  console.log(writtenText(out, await mergeTapes(tapesOf(rest), out)))
  return 0
}

/** `tape synth`: a market made from a seed. */
export const synth: Run<typeof TAPE_SYNTH> = async ({ flags }) => {
  const { out } = flags
  const { options, source } = synthesisOf(flags)
  const events = synthesise(options)
  const tape = await createTape(out, { source, instruments: synthInstruments(options.profiles) })
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
