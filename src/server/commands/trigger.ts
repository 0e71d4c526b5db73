/** `tapewright trigger`: a move of a coin's price on a running server. */

import type { MarketEventRecord } from '../../clients/control/records.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Run } from './command.ts'
import { answered, sandboxOf } from './running-server.ts'
import type { TRIGGER } from './trigger/declaration.ts'

/** Triggers the move, and prints the market event. */
export const trigger: Run<typeof TRIGGER> = async ({ flags, rest: [coin = '', change = ''] }) => {
  const { over = OVER_MS, revert, after = 0, json } = flags
  const fields = {
    kind: 'move',
    coin,
    pct: percentage(change),
    overS: over / 1000,
    ...(revert === 0 ? {} : { revertPct: revert }),
    ...(after === 0 ? {} : { afterS: after / 1000 }),
  } as const
  const event = await answered(sandboxOf(flags).market.trigger(fields))
  console.log(json ? JSON.stringify(event) : eventText(event, fields))
  return 0
}

const OVER_MS = 120_000

function percentage(text: string): number {
  const found = /^([+-]?\d{1,6}(?:\.\d{1,6})?)%?$/.exec(text)?.[1]
  if (found !== undefined) return Number(found)
  throw new UserError(`"${text.slice(0, 100)}" is not a percentage: write it as -5% or +2.5%`)
}

interface Move {
  pct: number
  overS: number
  afterS?: number
}

function eventText({ id, event, outcome }: MarketEventRecord, { pct, overS, afterS }: Move) {
  const { pxBefore = null } = outcome.find(({ coin }) => coin === event.coin) ?? {}
  const from = pxBefore === null ? '' : `, from a price of ${pxBefore}`
  const when = afterS === undefined ? '' : `in ${afterS} s `
  return `market event ${id}: ${when}${event.coin} moves by ${pct} % over ${overS} s${from}`
}
