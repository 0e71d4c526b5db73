/** A first look at a target: can anything be judged there at all? */
import { Complaint } from '../complaint.ts'
import { Finding, type Probe } from './probe.ts'
import { isRow } from './reading.ts'

/** A Complaint says why nothing can be judged. */
export async function firstLook(probe: Probe, target: string): Promise<void> {
  const exchange = await probe.ask({ path: '/hl/tickers' }).catch((error) => {
    if (error instanceof Finding || error instanceof Complaint)
      throw new Complaint(`${target}: ${error.message}`)
    throw error
  })
  const { status, contentType, json } = exchange
  if (!isRow(json))
    throw new Complaint(
      `${target} answers ${contentType || 'something'} (${status}), not JSON: is it the service?`,
    )
  const words = String(json.msg ?? json.error ?? json.message ?? '')
  if (status === 401 || /signature/i.test(words))
    throw new Complaint(
      `${target} does not accept the key (${status} ${words}): check --key and --secret`,
    )
  if (status === 403)
    throw new Complaint(`the key may not read tickers (${words}): use one that may do everything`)
  if (status !== 200) throw new Complaint(`${target} answers ${status} ${words}`)
}
