import type { Usd } from '../../../decimal/quantity.ts'
import { szText, usdText } from '../../schema/schema.ts'
import type { Holding, SubAccount } from '../market/market-state.ts'

/** The dex of an account that holds spot tokens. */
export const SPOT = 'spot'

/** A movement of money or tokens as the venue's JSON describes it. */
export type Delta = { type: string } & Record<string, unknown>

/** Money that comes in from outside. */
export function depositDelta(usd: Usd): Delta {
  return { type: 'deposit', usdc: usdText(usd, 1) }
}

/** Money that goes out; its nonce is its time. */
export function withdrawalDelta(usd: Usd, timeMs: number): Delta {
  return { type: 'withdraw', usdc: usdText(usd, 1), nonce: timeMs, fee: '1.0' }
}

/** A position that is liquidated, of which nothing has been closed yet: it moves no money. */
export function liquidationDelta(
  { market, sz, isolated }: Pick<Holding, 'market' | 'sz' | 'isolated'>,
  { value, equity }: { value: Usd; equity: Usd },
): Delta {
  return {
    type: 'liquidation',
    liquidatedNtlPos: usdText(value, 1),
    accountValue: usdText(equity, 1),
    leverageType: isolated ? 'Isolated' : 'Cross',
    liquidatedPositions: [{ coin: market.row.coin, szi: szText(market.row, sz, 1) }],
  }
}

/** Money that one trader sends to another. */
export function internalTransferDelta(from: SubAccount, to: SubAccount, usd: Usd): Delta {
  const [user, destination] = [from.agent.address, to.agent.address]
  return { type: 'internalTransfer', usdc: usdText(usd, 1), user, destination, fee: '0.0' }
}

/** Money between two sub-accounts of one trader. */
export function transferDelta(from: SubAccount, to: SubAccount, usd: Usd, timeMs: number): Delta {
  const amount = usdText(usd, 1)
  if (to.dex === SPOT) return { type: 'accountClassTransfer', usdc: amount, toPerp: false }
  const user = from.agent.address
  return {
    type: 'send',
    user,
    destination: user,
    sourceDex: from.dex,
    destinationDex: to.dex,
    token: 'USDC',
    amount,
    usdcValue: amount,
    fee: '0.0',
    nativeTokenFee: '0.0',
    nonce: timeMs,
    feeToken: '',
  }
}

/** Spot tokens, `amount` of them worth `usd`, that `user` sends. */
export function tokenDelta(
  token: string,
  amount: string,
  usd: Usd,
  user: string,
  destination: string,
): Delta {
  return {
    type: 'spotTransfer',
    token,
    amount,
    usdcValue: usdText(usd, 1),
    user,
    destination,
    fee: '0.0',
    nativeTokenFee: '0.0',
    nonce: null,
    feeToken: '',
  }
}
