/** A first look at a target: can anything be judged there at all? */
import { UserError } from '../platform/user-error.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import { deniedPermission } from './denied-permission.ts'
import { isJsonObject } from './parsed-json.ts'
import type { Probe } from './probe.ts'

/** A UserError says why nothing can be judged. */
export async function checkTarget(probe: Probe, target: string): Promise<void> {
  const exchange = await probe.request({ path: '/hl/tickers' }).catch((error) => {
    if (isVerdict(error)) throw new UserError(`${target}: ${error.message}`)
    throw error
  })
  const { status, contentType, json } = exchange
  if (!isJsonObject(json))
    throw new UserError(
      `${target} answers ${contentType || 'something'} (${status}), not JSON: is it the service?`,
    )
  const words = String(json.msg ?? json.error ?? json.message ?? '')
  if (status === 401 || /signature/i.test(words))
    throw new UserError(
      `${target} does not accept the key (${status} ${words}): check --key and --secret`,
    )
  if (status === 403) return checkGrants(probe, words)
  if (status !== 200) throw new UserError(`${target} answers ${status} ${words}`)
  const other = await probe.request({ path: '/no/such/path', signedIn: 'nowhere' })
  if (other.status === status && other.text === exchange.text)
    throw new UserError(`${target} answers the same to whatever it is asked: is it the service?`)
}

/** What an answer could not be had for: also that the target wants none of our requests now. */
const isVerdict = (error: unknown): error is Error =>
  error instanceof CheckFailure || error instanceof UserError || error instanceof SkipCase

/** A key that may not read tickers may do something else, or it is of no use. */
async function checkGrants(probe: Probe, words: string): Promise<void> {
  for (const path of OTHERS) if (deniedPermission(await probe.request({ path })) === null) return
  throw new UserError(`the key may do nothing (${words}): use one that may do everything`)
}

const OTHERS = ['/hl/whales/directions', '/hl/orders/active-stats', '/coin', '/crypto_stock/quotes']
