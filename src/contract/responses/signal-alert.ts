/** Answers of the operations for alerts. */
import { alertSubTypeFlaw } from '../alert-catalogue.ts'
import type { Facts } from '../facts.ts'
import type { Answers } from '../questions.ts'
import type { AlertResult, StrategyKey } from '../records/signal.ts'
import type { Refusal } from '../refusal.ts'
import type { Static } from '../schema.ts'
import type { AlertsTenant } from '../tenant.ts'

type Result = Static<typeof AlertResult>

/** Sets an alert; a failure is answered by the question `alert-failure`. */
export function addAlert(
  { subType, symbol, remark }: { subType: string; symbol: string; remark?: string },
  { signal, moment }: Pick<Facts, 'signal' | 'moment'>,
  alerts: AlertsTenant,
): Result | Refusal<'alert'> {
  const price = alertSubTypeFlaw(subType) === null ? signal.price(symbol) : null
  const shownMs = moment.atMs + moment.shiftMs
  const tpKey = symbol.toLowerCase()
  if (price && alerts.add({ subType, symbol: tpKey, remark: remark ?? '', shownMs, price }))
    return { result: 'true' }
  return alertFailure(moment.answers['alert-failure'], { refused: 'alert' })
}

/** Why an alert cannot be set, as text; null when it can. */
export function addingFlaw(
  { subType, symbol }: { subType: string; symbol: string },
  { signal }: Pick<Facts, 'signal'>,
  { list, most }: AlertsTenant,
): string | null {
  const flaw = alertSubTypeFlaw(subType)
  if (flaw !== null) return flaw
  if (signal.price(symbol) === null) return `pair "${symbol}" is not known, or has no price yet`
  return list().length < most ? null : `this key has set ${most} alerts, and no more are kept`
}

/** Why an alert cannot be removed, as text; null when it can. */
export const removalFlaw = (id: number, { list }: AlertsTenant): string | null =>
  list().some((one) => one.id === id) ? null : `this key has set no alert with the id ${id}`

/** Removes an alert; a failure is answered by the question `alert-failure`. */
export function deleteAlert(
  id: number,
  { moment }: Pick<Facts, 'moment'>,
  alerts: AlertsTenant,
): Result | Refusal<'alertAbsent'> {
  if (alerts.remove(id)) return { result: 'true' }
  return alertFailure(moment.answers['alert-failure'], { refused: 'alertAbsent' })
}

const alertFailure = <R extends Refusal>(
  answer: Answers['alert-failure'],
  refusal: R,
): Result | R => (answer === 'error' ? refusal : { result: 'false' })

/** The alerts that are set, and their number. */
export function alertSettings({ signal }: Pick<Facts, 'signal'>, alerts: AlertsTenant) {
  const list = signal.alertSettings(alerts.list())
  return { list, count: String(list.length) }
}

// Queries of the operations for signals.

/** The query of a strategy. */
export const strategyQueryOf = (query: {
  coin_type: string
  signal_key: StrategyKey
  latest_time?: string | undefined
}) => ({
  coinType: query.coin_type,
  key: query.signal_key,
  afterMs: query.latest_time === undefined ? undefined : Number(query.latest_time),
})
