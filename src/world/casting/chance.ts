import type { Dice } from '../../random/dice.ts'

/** Hash of a transaction: 0x + 64 hex. */
export function transaction(dice: Dice): string {
  return `0x${dice.hex(64)}`
}

/** Client order id: 0x + 32 hex. */
export function clientId(dice: Dice): string {
  return `0x${word(dice)}${word(dice)}${word(dice)}${word(dice)}`
}

/** A number spread evenly over orders of magnitude between low and high. */
export function spread(dice: Dice, low: number, high: number): number {
  return low * (high / low) ** dice.unit()
}

/** Trade ids of the venue's magnitude. */
export function tradeId(dice: Dice): number {
  return Math.floor(dice.unit() * 1e15)
}

/** Eight digits at a throw: these are made by the ten thousand. */
const word = (dice: Dice): string =>
  Math.floor(dice.unit() * 4294967296)
    .toString(16)
    .padStart(8, '0')
