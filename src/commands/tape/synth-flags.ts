import { readFileSync } from 'node:fs'
import type { MoodName } from '../../market/synth/mood.ts'
import { listedProfiles, USUAL_LISTING } from '../../tape/synth/listing.ts'
import { plotOf } from '../../tape/synth/plot-market.ts'
import type { SynthOptions } from '../../tape/synth/synthesis.ts'
import { UserError } from '../../user-error.ts'

/** What `tape synth` was asked for. */
interface SynthFlags {
  seed: number
  minutes: number
  coins: number
  pairs: number
  price: readonly string[]
  mood: MoodName | undefined
  plot: string | undefined
}

/** The market that was asked for, and what its tape says of where it comes from. */
export function synthesisOf(flags: SynthFlags): { options: SynthOptions; source: string } {
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
  const told = [
    minutes === 20 ? [] : `${minutes} minutes`,
    isUsual ? [] : `${coins} perpetuals, ${pairs} pairs`,
    [...prices].map(([coin, px]) => `${coin}=${px}`),
    mood === undefined ? [] : `mood ${mood}`,
    file === undefined ? [] : `plot ${file}`,
  ].flat()
  return { options, source: [`synth seed ${seed}`, ...told].join(', ') }
}

function priceOf(said: string): [coin: string, px: number] {
  const at = said.lastIndexOf('=')
  const px = Number(said.slice(at + 1))
  if (at > 0 && said.length > at + 1 && px > 0) return [said.slice(0, at), px]
  throw new UserError(`--price must be a coin and its price, such as BTC=120000, not "${said}"`)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`the plot ${file} cannot be read: ${(error as Error).message}`)
  }
}
