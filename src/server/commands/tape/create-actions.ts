import { readFileSync } from 'node:fs'
import type { MoodName } from '../../../market/synth/mood.ts'
import { UserError } from '../../../platform/user-error.ts'
import { cutTape } from '../../../tape/cut.ts'
import { listedProfiles, USUAL_LISTING } from '../../../tape/synth/listing.ts'
import {
  plotOf,
  type SynthOptions,
  synthesise,
  synthInstruments,
} from '../../../tape/synth/synthesis.ts'
import { mergeTapes } from '../../../tape/tape-merge.ts'
import { openTape } from '../../../tape/tape-reader.ts'
import { createTape } from '../../../tape/tape-writer.ts'
import type { Run } from '../command.ts'
import type { TAPE_CUT, TAPE_MERGE, TAPE_SYNTH } from './declarations.ts'
import { parseTapeTime, tapeOf, tapesOf, writtenText } from './text-output.ts'

/** `tape cut`: writes a part of a tape. */
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

/** `tape merge`: merges several tapes. */
export const merge: Run<typeof TAPE_MERGE> = async ({ flags: { out }, rest }) => {
  console.log(writtenText(out, await mergeTapes(tapesOf(rest), out)))
  return 0
}

/** `tape synth`: generates a market from a seed. */
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

/** The flags of `tape synth`. */
interface SynthFlags {
  seed: number
  minutes: number
  coins: number
  pairs: number
  price: readonly string[]
  mood: MoodName | undefined
  plot: string | undefined
}

/** The options of the market, and the source that its tape records. */
function synthesisOf(flags: SynthFlags): { options: SynthOptions; source: string } {
  const { seed, minutes, coins, pairs, price, mood, plot: file } = flags
  const prices = new Map(price.map(priceOf))
  const profiles = listedProfiles({ perpetuals: coins, pairs, prices })
  const options: SynthOptions = { seed, minutes, profiles }
  if (mood !== undefined) options.mood = mood
  if (file !== undefined) {
    options.plot = []
    options.plot = plotOf(file, textOf(file), options)
  }
  const isUsual = coins === USUAL_LISTING.perpetuals && pairs === USUAL_LISTING.pairs
  const inputs = [
    minutes === 20 ? [] : `${minutes} minutes`,
    isUsual ? [] : `${coins} perpetuals, ${pairs} pairs`,
    [...prices].map(([coin, px]) => `${coin}=${px}`),
    mood === undefined ? [] : `mood ${mood}`,
    file === undefined ? [] : `plot ${file}`,
  ].flat()
  return { options, source: [`synth seed ${seed}`, ...inputs].join(', ') }
}

function priceOf(input: string): [coin: string, px: number] {
  const at = input.lastIndexOf('=')
  const px = Number(input.slice(at + 1))
  if (at > 0 && input.length > at + 1 && px > 0) return [input.slice(0, at), px]
  throw new UserError(`--price must be a coin and its price, such as BTC=120000, not "${input}"`)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`the plot ${file} cannot be read: ${(error as Error).message}`)
  }
}
