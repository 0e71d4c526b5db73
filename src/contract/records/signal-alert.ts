import { Decimal, type Static, TimeSDigits, Type } from '../schema.ts'

const exact = { additionalProperties: false }

const sub = 'indicatorKey:period:triggerKey:params'

/** An alert that has fired. */
export const SignalAlert = Type.Object(
  {
    tp_key: Type.String({ description: 'pair' }),
    sub_type: Type.String({ description: sub }),
    side: Type.Union([Type.Literal('sell'), Type.Literal('buy')]),
    ews_price: Decimal('price when it fired'),
    ews_time: TimeSDigits('when it fired, s, as text'),
  },
  { ...exact, title: 'SignalAlert' },
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
  { ...exact, title: 'AlertSetItem' },
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
  { ...exact, title: 'AlertIndicator' },
)
export type AlertIndicator = Static<typeof AlertIndicator>

/** Whether it worked: the contract has it as text. */
export const AlertResult = Type.Object(
  {
    result: Type.Union([Type.Literal('true'), Type.Literal('false')], {
      description: '"true" or "false" as text',
    }),
  },
  { ...exact, title: 'AlertResult' },
)
