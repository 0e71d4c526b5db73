/** Batches of accounts that are large enough, or of the kind, to show a difference. */
import type { Parameter } from '../../contract/parameters.ts'
import type { AskedOperation } from '../derived/asked-operation.ts'
import { objectsOf } from '../response-reading.ts'
import { someTraders } from '../target-lookups.ts'
import type { Effect } from './effect.ts'
import { manyTraders } from './known-values.ts'

/** Of many accounts at once. */
export const forMany =
  (effect: Effect): Effect =>
  async (asked: AskedOperation, parameter: Parameter) =>
    effect(asked.with({ body: { addresses: await manyTraders(asked.probe) } }), parameter)

/** Of accounts that have something besides the main dex. */
export const forBuilders =
  (effect: Effect): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const { probe } = asked
    const body = { addresses: await someTraders(probe) }
    const rows = await objectsOf(probe, { method: 'POST', path: '/hl/traders/accounts', body })
    const addresses = rows
      .filter(({ builderPerpValue, spotValue }) => Number(builderPerpValue) + Number(spotValue) > 0)
      .map(({ address }) => String(address))
    if (addresses.length === 0) probe.skip('no account has anything besides the main dex')
    await effect(asked.with({ body: { addresses } }), parameter)
  }
