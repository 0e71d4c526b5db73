/** Sets of coins by which a search chooses: held all of them, any, none, or nothing else. */
import type { Parameter } from '../../contract/parameters.ts'
import type { AskedOperation } from '../derived/asked-operation.ts'
import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import { retryUntilHeld } from '../response-reading.ts'
import { someCoins } from '../target-lookups.ts'
import type { Effect } from './effect.ts'
import { twoCoins } from './known-values.ts'

/** How many are found. */
export const total = async (asked: AskedOperation): Promise<number> => {
  const data = await asked.data()
  return isJsonObject(data) ? Number(data.total) : Number.NaN
}

/** Sets by coins held: all of them, any, none, and nothing else fit together. */
export const coinSets: Effect = async (asked: AskedOperation, parameter: Parameter) =>
  retryUntilHeld(asked.probe, () => flawOfCoinSets(asked, parameter))

async function flawOfCoinSets(asked: AskedOperation, parameter: Parameter): Promise<string | null> {
  const [one, other] = await twoCoins(asked.probe)
  if (one === undefined || other === undefined) asked.probe.skip('the target has one coin only')
  const found = (body: JsonObject) => total(asked.with({ body: { ...body, countOnly: true } }))
  const all = await found({})
  const both = await found({ coins: [one, other] })
  const any = await found({ anyCoins: [one, other] })
  const none = await found({ noCoins: [one, other] })
  const nothingElse = await found({ allCoins: [one] })
  const held = await found({ coins: [one] })
  const heldOther = await found({ coins: [other] })
  const [alone, otherAlone] = await heldAlone(
    asked,
    [other, ...(await someCoins(asked.probe))],
    found,
  )
  const noOther = await found({ allCoins: [one, alone] })
  const counts = { all, both, any, none, held, heldOther, nothingElse, otherAlone, noOther }
  if (all === 0 || any === 0) asked.probe.skip('nobody has held any of these coins')
  const rules: Record<string, [holds: boolean, words: string]> = {
    coins: [
      both <= held && held <= any && held < all && any === held + heldOther - both,
      `coins=${one},${other} are held by fewer`,
    ],
    anyCoins: [
      any < all && any === held + heldOther - both,
      `anyCoins=${one},${other} leaves the others out`,
    ],
    noCoins: [any + none === all, 'those who held any and those who held none are all'],
    allCoins: [
      nothingElse < any && nothingElse <= held && noOther >= nothingElse && noOther >= otherAlone,
      `allCoins=${one} is who held nothing else`,
    ],
  }
  const [holds, words] = rules[parameter.name] ?? [true, '']
  return holds ? null : `${words}: ${JSON.stringify(counts)}`
}

/** A coin besides which some have held nothing, and how many; the first where there is none. */
async function heldAlone(
  asked: AskedOperation,
  coins: readonly string[],
  found: (body: JsonObject) => Promise<number>,
): Promise<[coin: string, count: number]> {
  const [first = '', ...others] = [...new Set(coins)].slice(0, COINS_MAX)
  const [one] = await twoCoins(asked.probe)
  for (const coin of [first, ...others]) {
    const count = coin === one ? 0 : await found({ allCoins: [coin] })
    if (count > 0) return [coin, count]
  }
  return [first, 0]
}

/** Coins that are looked at for one that somebody held alone. */
const COINS_MAX = 8
