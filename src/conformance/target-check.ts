/** A first look at a target: can anything be judged there at all? */
import { UserError } from '../user-error.ts'
import { CheckFailure } from './case-outcome.ts'
import type { Probe } from './probe.ts'
import { isJsonObject } from './response-reading.ts'

/** A UserError says why nothing can be judged. */
export async function checkTarget(probe: Probe, target: string): Promise<void> {
  const exchange = await probe.request({ path: '/hl/tickers' }).catch((error) => {
    if (error instanceof CheckFailure || error instanceof UserError)
      throw new UserError(`${target}: ${error.message}`)
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
  if (status === 403)
    throw new UserError(`the key may not read tickers (${words}): use one that may do everything`)
  if (status !== 200) throw new UserError(`${target} answers ${status} ${words}`)
  const other = await probe.request({ path: '/no/such/path', signedIn: 'nowhere' })
  if (other.status === status && other.text === exchange.text)
    throw new UserError(`${target} answers the same to whatever it is asked: is it the service?`)
}
