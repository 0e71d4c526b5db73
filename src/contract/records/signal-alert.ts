/** Alerts of a client: what can be set, what is set, what has rung (spec, Signals). */
import { subTypeFlaw } from '../alert-reading.ts'
import type { Facts } from '../facts.ts'
import type { Answers } from '../questions.ts'
import type { Refusal } from '../refusal.ts'
import { Decimal, type Static, TimeSDigits, Type } from '../schema.ts'
import type { AlertsTenant } from '../tenant/alerts.ts'

const exact = { additionalProperties: false }

const sub = 'indicatorKey:period:triggerKey:params'

/** An alert that has rung. */
export const SignalAlert = Type.Object(
  {
    tp_key: Type.String({ description: 'pair' }),
    sub_type: Type.String({ description: sub }),
    side: Type.Union([Type.Literal('sell'), Type.Literal('buy')]),
    ews_price: Decimal('price when it rang'),
    ews_time: TimeSDigits('when it rang, s, as text'),
  },
  exact,
)
export type SignalAlert = Static<typeof SignalAlert>

/** An alert that is set. */
export const AlertSetItem = Type.Object(
  {
    id: Type.String(),
    tpKey: Type.String({ description: 'pair' }),
    setPrice: Decimal('price when it was set'),
    subType: Type.String({ description: sub }),
    setTime: TimeSDigits('when it was set, s, as text'),
  },
  exact,
)
export type AlertSetItem = Static<typeof AlertSetItem>

/** An indicator and what can come true of it. */
export const AlertIndicator = Type.Object(
  {
    config: Type.Array(
      Type.Object(
        {
          appPicLink: Type.String({ description: 'address of a small picture' }),
          label: Type.String({ description: 'what comes true' }),
          name: Type.String({ description: 'the same with its indicator' }),
          picLink: Type.String({ description: 'address of a picture' }),
          signalType: Type.String({ description: 'buy or sell: the side of the alert' }),
          triggerKey: Type.String({ description: 'third part of a subType' }),
        },
        exact,
      ),
    ),
    indicatorKey: Type.String({ description: 'first part of a subType' }),
    label: Type.String({ description: 'short name' }),
    name: Type.String(),
    sort: Type.Integer({ description: 'place in the list, from 1' }),
  },
  exact,
)
export type AlertIndicator = Static<typeof AlertIndicator>

/** Whether it worked: the contract has it as text. */
export const AlertResult = Type.Object(
  {
    result: Type.Union([Type.Literal('true'), Type.Literal('false')], {
      description: '"true" or "false" as text',
    }),
  },
  exact,
)

type Result = Static<typeof AlertResult>

/** Sets an alert, or tells that it could not be set as `alert-failure` says. */
export function addAlert(
  { subType, symbol, remark }: { subType: string; symbol: string; remark?: string },
  { signals, moment }: Facts,
  alerts: AlertsTenant,
): Result | Refusal<'alert'> {
  const price = subTypeFlaw(subType) === null ? signals.price(symbol) : null
  const shownMs = moment.atMs + moment.shiftMs
  const tpKey = symbol.toLowerCase()
  if (price && alerts.add({ subType, symbol: tpKey, remark: remark ?? '', shownMs, price }))
    return { result: 'true' }
  return failed(moment.answers['alert-failure'], { refused: 'alert' })
}

/** Why an alert cannot be set, in words; null when it can. */
export function addingFlaw(
  { subType, symbol }: { subType: string; symbol: string },
  { signals }: Facts,
  { list, most }: AlertsTenant,
): string | null {
  const flaw = subTypeFlaw(subType)
  if (flaw !== null) return flaw
  if (signals.price(symbol) === null) return `pair "${symbol}" is not known, or has no price yet`
  return list().length < most ? null : `this key has set ${most} alerts, and no more are kept`
}

/** Why an alert cannot be removed, in words; null when it can. */
export const removalFlaw = (id: number, { list }: AlertsTenant): string | null =>
  list().some((one) => one.id === id) ? null : `this key has set no alert with the id ${id}`

/** Removes an alert, or tells that there is none as `alert-failure` says. */
export function deleteAlert(
  id: number,
  { moment }: Facts,
  alerts: AlertsTenant,
): Result | Refusal<'alertAbsent'> {
  if (alerts.remove(id)) return { result: 'true' }
  return failed(moment.answers['alert-failure'], { refused: 'alertAbsent' })
}

const failed = <R extends Refusal>(answer: Answers['alert-failure'], refusal: R): Result | R =>
  answer === 'error' ? refusal : { result: 'false' }

/** The alerts that are set, and how many. */
export function alertSettings({ signals }: Facts, alerts: AlertsTenant) {
  const list = signals.settings(alerts.list())
  return { list, count: String(list.length) }
}
