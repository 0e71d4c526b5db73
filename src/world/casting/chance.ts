import type { Dice } from '../../random/dice.ts'

/** Hash of a transaction: 0x + 64 hex. */
export function transaction(dice: Dice): string {
  return `0x${words(dice, 8)}`
}

/** Client order id: 0x + 32 hex. */
export function clientId(dice: Dice): string {
  return `0x${words(dice, 4)}`
}

/** A number spread evenly over orders of magnitude between low and high. */
export function spread(dice: Dice, low: number, high: number): number {
  return low * (high / low) ** dice.unit()
}

/** Trade ids of the venue's magnitude. */
export function tradeId(dice: Dice): number {
  return Math.floor(dice.unit() * 1e15)
}

/** Four hexadecimal digits for each 16 bits: hashes are made by the hundred thousand. */
const QUADS = Array.from({ length: 65_536 }, (_, bits) => bits.toString(16).padStart(4, '0'))

function words(dice: Dice, count: number): string {
  let text = ''
  for (let i = 0; i < count; i++) {
    const bits = Math.floor(dice.unit() * 4294967296)
    text += `${QUADS[bits >>> 16]}${QUADS[bits & 65_535]}`
  }
  return text
}
