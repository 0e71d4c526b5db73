/** What the operations about alerts do and answer. */
import { readSubType } from '../alert-catalogue.ts'
import type { Facts } from '../facts.ts'
import type { AlertResult } from '../records/signal-alert.ts'
import type { Refusal } from '../refusal.ts'
import type { Static } from '../schema.ts'
import type { AlertsTenant } from '../tenant/alerts.ts'

type Answer = Static<typeof AlertResult> | Refusal

/** Sets an alert, or tells that it could not be set as `alert-failure` says. */
export function addAlert(
  { subType, symbol, remark }: { subType: string; symbol: string; remark?: string },
  { signals, moment }: Pick<Facts, 'signals' | 'moment'>,
  alerts: AlertsTenant,
): Answer {
  const price = readSubType(subType) && signals.price(symbol)
  const shownMs = moment.atMs + moment.shiftMs
  const tpKey = symbol.toLowerCase()
  if (price && alerts.add({ subType, symbol: tpKey, remark: remark ?? '', shownMs, price }))
    return { result: 'true' }
  return failed(moment.answers['alert-failure'], { refused: 'alert' })
}

/** Removes an alert, or tells that there is none as `alert-failure` says. */
export function deleteAlert(
  id: number,
  { moment }: Pick<Facts, 'moment'>,
  alerts: AlertsTenant,
): Answer {
  if (alerts.remove(id)) return { result: 'true' }
  return failed(moment.answers['alert-failure'], { refused: 'alertAbsent' })
}

const failed = (answer: string, refusal: Refusal): Answer =>
  answer === 'error' ? refusal : { result: 'false' }

/** The alerts that are set, and how many. */
export function alertSettings({ signals }: Pick<Facts, 'signals'>, alerts: AlertsTenant) {
  const list = signals.settings(alerts.list())
  return { list, count: String(list.length) }
}
