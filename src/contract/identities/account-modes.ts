/** Identities of account modes: an account's value is that of its wallets, each dollar once. */

import { Exact } from '../../decimal/exact.ts'
import type { SpotState, VenuePortfolio } from '../records/account-state.ts'
import type { FrontendOrder } from '../records/order.ts'
import { statesOf } from './account-money.ts'
import type { Identity, InfoRequests } from './identity.ts'

/** Each value is rounded to a millionth of a dollar. */
const MICRO = Exact.of('0.000001')
const NOTHING = Exact.of(0)
const STAKED_COIN = 'HYPE'

export const netValue: Identity = {
  id: 'net-value',
  sentence:
    'What an account is worth is spot, staking, vault and perpetual equity, which unified ' +
    'margin has in its spot dollars already.',
  source:
    'portfolio, userAbstraction, clearinghouseState, spotClearinghouseState, delegatorSummary, ' +
    'userVaultEquities, spotMetaAndAssetCtxs, metaAndAssetCtxs; Account, net-value semantics',
  *compare(user) {
    const windows = new Map((yield { type: 'portfolio', user }) as VenuePortfolio)
    const last = windows.get('day')?.accountValueHistory.at(-1)
    if (!last) return []
    const mode = yield { type: 'userAbstraction', user }
    const states = yield* statesOf(user)
    const counted = states.filter(([dex]) => mode !== 'unifiedAccount' || dex !== '')
    const perps = counted.map(([, { marginSummary }]) => Exact.of(marginSummary.accountValue))
    const { balances } = (yield { type: 'spotClearinghouseState', user }) as SpotState
    const priceOf = yield* tokenPrices()
    const spot = balances.map(({ coin, token, total }) =>
      coin === 'USDC' ? Exact.of(total) : Exact.of(total).times(priceOf(token)),
    )
    const { delegated } = (yield { type: 'delegatorSummary', user }) as { delegated: string }
    const staked = delegated === '0.0' ? Exact.of(0) : Exact.of(delegated).times(yield* stakedPx())
    const vaults = (yield { type: 'userVaultEquities', user }) as { equity: string }[]
    const shares = vaults.map(({ equity }) => Exact.of(equity))
    const parts = { perps, spot, staked: [staked], shares }
    const right = Exact.sum(Object.values(parts).flat())
    const records = { mode, parts: JSON.parse(JSON.stringify(parts, (_, one) => textOf(one))) }
    const within = MICRO.times(Exact.of(2 + spot.length))
    return [{ of: 'now', left: Exact.of(last[1]), relation: 'equal', right, within, records }]
  },
}

export const heldBalances: Identity = {
  id: 'balance-hold',
  sentence: 'No more of a balance is held than there is of it, and nothing of a debt.',
  source: 'spotClearinghouseState',
  *compare(user) {
    const { balances } = (yield { type: 'spotClearinghouseState', user }) as SpotState
    return balances.map(({ coin, total, hold }) => {
      const [all, right] = [Exact.of(total), Exact.of(0)]
      const most = all.isAtMost(right) ? right : all
      return { of: coin, left: Exact.of(hold), relation: 'atMost', right: most, records: balances }
    })
  },
}

export const holdOfOrders: Identity = {
  id: 'order-hold',
  sentence: 'What is held of a balance is what open spot orders take, at most all of it.',
  source:
    'spotClearinghouseState, frontendOpenOrders, spotMeta, ' +
    'userAbstraction; Spot account state, hold',
  *compare(user) {
    const { balances } = (yield { type: 'spotClearinghouseState', user }) as SpotState
    const orders = ((yield { type: 'frontendOpenOrders', user }) as FrontendOrder[] | null) ?? []
    const { universe } = (yield { type: 'spotMeta' }) as SpotUniverse
    const mode = yield { type: 'userAbstraction', user }
    const pairs = new Map(universe.map(({ name, tokens }) => [name, tokens]))
    const resting = orders.filter(({ coin, isTrigger }) => pairs.has(coin) && !isTrigger)
    return balances.flatMap(({ coin, token, total, hold }) => {
      // There the margin of positions is held too.
      if (coin === 'USDC' && mode === 'unifiedAccount') return []
      const own = resting.filter(({ coin: pair, side }) => {
        const [base, quote] = pairs.get(pair) ?? []
        return side === 'A' ? base === token : quote === token
      })
      const taken = Exact.sum(
        own.map(({ side, sz, limitPx }) =>
          side === 'A' ? Exact.of(sz) : Exact.of(sz).times(Exact.of(limitPx)),
        ),
      )
      const all = Exact.of(total)
      const most = all.isAtMost(NOTHING) ? NOTHING : all
      const right = taken.isAtMost(most) ? taken : most
      const within = MICRO.times(Exact.of(own.length))
      const records = { balance: { coin, total, hold }, orders: own }
      return [
        { of: coin, left: Exact.of(hold), relation: 'equal' as const, right, within, records },
      ]
    })
  },
}

interface SpotUniverse {
  universe: { name: string; tokens: number[] }[]
}

export const stakeOfValidators: Identity = {
  id: 'stake',
  sentence:
    'What an account has staked lies with validators of the chain, which hold at least that.',
  source: 'delegations, delegatorSummary, validatorSummaries',
  *compare(user) {
    const delegations = (yield { type: 'delegations', user }) as Delegation[]
    const { delegated } = (yield { type: 'delegatorSummary', user }) as { delegated: string }
    const amounts = delegations.map(({ amount }) => Exact.of(amount))
    const whole = { of: 'delegated', left: Exact.of(delegated), relation: 'equal' } as const
    const sum = { ...whole, right: Exact.sum(amounts), records: delegations }
    if (delegations.length === 0) return [sum]
    const validators = (yield { type: 'validatorSummaries' }) as Validator[]
    const held = delegations.map(({ validator, amount }) => {
      const stake = validators.find((one) => one.validator === validator)?.stake ?? 0
      const right = Exact.of(stake).times(STAKE_UNIT)
      const records = validators
      return { of: validator, left: Exact.of(amount), relation: 'atMost' as const, right, records }
    })
    return [sum, ...held]
  },
}

interface Delegation {
  validator: string
  amount: string
}

/** Its stake in hundred-millionths of a token. */
interface Validator {
  validator: string
  stake: number
}

const STAKE_UNIT = Exact.of('0.00000001')

const textOf = (value: unknown) => (value instanceof Exact ? value.toString() : value)

/** Mark prices by the number of a token. */
function* tokenPrices(): InfoRequests<(token: number) => Exact> {
  const [meta, contexts] = (yield { type: 'spotMetaAndAssetCtxs' }) as [
    { universe: { name: string; tokens: number[] }[] },
    { coin: string; markPx: string | null }[],
  ]
  const byName = new Map(contexts.map(({ coin, markPx }) => [coin, markPx]))
  return (token) => {
    const pair = meta.universe.find(({ tokens }) => tokens[0] === token)
    return Exact.of((pair && byName.get(pair.name)) ?? '0')
  }
}

/** The mark price of what is staked: that of its perpetual. */
function* stakedPx(): InfoRequests<Exact> {
  const [meta, contexts] = (yield { type: 'metaAndAssetCtxs' }) as [
    { universe: { name: string }[] },
    { markPx: string }[],
  ]
  const at = meta.universe.findIndex(({ name }) => name === STAKED_COIN)
  return Exact.of(contexts[at]?.markPx ?? '0')
}
