/** Asks an account of the crowd where a query names one by its address. */
import type { World } from '../world.ts'
import { accountOfOrder, accountWorld } from './account-world.ts'

type Query = (...given: unknown[]) => unknown

/**
 * Queries of a world. One that begins with an address of the crowd, or with something that has
 * one, is made of that account; of one that begins with a list of addresses each is asked alone.
 *
 * @param ofOrders queries that begin with the number of an order: the account is asked where
 * nobody else has such an order
 */
export function byAddress<Q extends object>(
  market: World,
  queriesOf: (world: World) => Q,
  ofOrders: readonly (keyof Q)[] = [],
): Q {
  const own = queriesOf(market)
  return new Proxy(own, {
    get(queries, name) {
      const asked = Reflect.get(queries, name, queries)
      if (typeof asked !== 'function') return asked
      if (ofOrders.includes(name as keyof Q))
        return (oid: unknown) => ofOrder(market, queriesOf, asked.bind(queries), name, oid)
      return (...given: unknown[]) => answer(market, queriesOf, own, name, given)
    },
  })
}

function ofOrder<Q extends object>(
  market: World,
  queriesOf: (world: World) => Q,
  own: Query,
  name: string | symbol,
  oid: unknown,
): unknown {
  const known = own(oid)
  if (known !== null && !(Array.isArray(known) && known.length === 0)) return known
  const account = accountOfOrder(market, Number(oid))
  if (account === null) return known
  const queries = queriesOf(account)
  return (Reflect.get(queries, name, queries) as Query).call(queries, oid)
}

function answer<Q extends object>(
  market: World,
  queriesOf: (world: World) => Q,
  own: Q,
  name: string | symbol,
  given: unknown[],
): unknown {
  const ask = (queries: Q, ...with_: unknown[]) =>
    (Reflect.get(queries, name, queries) as Query).apply(queries, with_)
  const [first, ...others] = given
  if (!Array.isArray(first)) {
    const account = accountOf(market, first)
    return ask(account ? queriesOf(account) : own, ...given)
  }
  const accounts = first.map((one) => accountOf(market, one))
  if (accounts.every((account) => account === null)) return ask(own, ...given)
  return first.flatMap((one, at) => {
    const account = accounts[at]
    return ask(account ? queriesOf(account) : own, [one], ...others) as unknown[]
  })
}

function accountOf(market: World, asked: unknown): World | null {
  const address =
    typeof asked === 'string' ? asked : (asked as { address?: unknown } | null)?.address
  return typeof address === 'string' ? accountWorld(market, address) : null
}
