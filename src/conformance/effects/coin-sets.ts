/** Sets of coins by which a search chooses: held all of them, any, none, or nothing else. */
import type { Parameter } from '../../contract/parameters.ts'
import type { AskedOperation } from '../derived/asked-operation.ts'
import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import { objectsOf, retryUntilHeld } from '../response-reading.ts'
import { busyTraders, someCoins } from '../target-lookups.ts'
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

/** Who has held these coins and no others is found by all of them, and not by fewer. */
export const nothingElseHeld: Effect = async (usual: AskedOperation, parameter: Parameter) => {
  const asked: AskedOperation = usual.with({ body: { period: DAYS } })
  const held = await heldBySomebody(asked)
  if (held === null) asked.probe.skip('nobody who trades much has held just a few coins')
  const { address, coins } = held
  const found = (allCoins: readonly string[]) =>
    total(asked.with({ body: { addrs: [address], allCoins, countOnly: true } }))
  const { name } = parameter
  await retryUntilHeld(asked.probe, async () => {
    for (const all of [coins, [...coins].reverse()])
      if ((await found(all)) !== 1) return `${name}=${all} finds ${address}, who held nothing else`
    for (const left of coins)
      if ((await found(coins.filter((one) => one !== left))) !== 0)
        return `${name} without ${left} does not find ${address}, who held that, too`
    return null
  })
}

/** An account with at least two coins that it has held, as the search itself counts them. */
async function heldBySomebody(asked: AskedOperation) {
  const { probe } = asked
  for (const address of (await busyTraders(probe)).slice(0, ACCOUNTS_MAX)) {
    const found = (body: JsonObject) =>
      total(asked.with({ body: { ...body, addrs: [address], countOnly: true } }))
    const path = `/hl/traders/${address}/performance-by-coin`
    const rows = await objectsOf(probe.lookup, { path, query: { period: DAYS } })
    const coins = rows.map(({ coin }) => String(coin))
    if (coins.length < 2 || coins.length > FEW) continue
    const others = (await someCoins(probe)).filter((coin) => !coins.includes(coin))
    if ((await found({ anyCoins: others })) !== 0) continue
    const counts: number[] = []
    for (const coin of coins) counts.push(await found({ coins: [coin] }))
    if (counts.every((count) => count === 1)) return { address, coins }
  }
  return null
}

/** Accounts that are looked at, coins that are few, and for how many days. */
const [ACCOUNTS_MAX, FEW, DAYS] = [10, 4, 30]

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
