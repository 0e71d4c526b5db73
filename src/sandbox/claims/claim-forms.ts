/** What a client may claim of the service: the form of each kind. */

import { checkFields, FlawList, flawsIn, flawsText } from '../../contract/fields/field-check.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { Address, OneOf, type Static, type TObject, Type } from '../../contract/schema.ts'
import { UserError } from '../../platform/user-error.ts'

const exact = { additionalProperties: false }
const Text = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
const DecimalText = (description: string) =>
  Type.String({ maxLength: 60, pattern: '^-?\\d+(\\.\\d+)?$', 'x-form': 'a decimal', description })
const ShownMs = (description: string) => Type.Integer({ minimum: 0, description })
const AsOf = Type.Optional(
  ShownMs(
    'instant of the claim by what the service has said last, such as its `Date`; now if absent',
  ),
)
const Levels = (description: string) =>
  Type.Array(
    Type.Object(
      { px: DecimalText('price'), sz: DecimalText('size'), n: Type.Optional(Type.Integer()) },
      exact,
    ),
    { maxItems: 100, description },
  )

const FORMS = {
  book: {
    about: 'This is the book that I would trade on.',
    fields: Type.Object(
      {
        coin: Text('coin'),
        time: ShownMs('`time` of the push or answer that it is from, ms'),
        asOf: AsOf,
        bids: Levels('best first; as many as you hold, at most 20 are compared'),
        asks: Levels('best first'),
      },
      exact,
    ),
    example: {
      kind: 'book',
      coin: 'BTC',
      time: 1768478400000,
      bids: [{ px: '96350.0', sz: '1.5' }],
      asks: [{ px: '96351.0', sz: '0.8' }],
    },
  },
  position: {
    about: 'This is the position of an account.',
    fields: Type.Object(
      {
        address: Address('account'),
        coin: Text('coin'),
        szi: DecimalText('signed size; 0 without a position'),
        asOf: AsOf,
      },
      exact,
    ),
    example: {
      kind: 'position',
      address: '0x0000000000000000000000000000000000000001',
      coin: 'BTC',
      szi: '0',
    },
  },
  fills: {
    about: 'These are all fills of an account in a time, each once.',
    fields: Type.Object(
      {
        address: Address('account'),
        from: ShownMs('first instant, ms'),
        to: Type.Optional(ShownMs('last instant, ms; now by default')),
        tids: Type.Array(Type.Integer({ minimum: 0 }), {
          maxItems: 2_000,
          description: '`tid` of each fill',
        }),
      },
      exact,
    ),
    example: {
      kind: 'fills',
      address: '0x0000000000000000000000000000000000000001',
      from: 1768478400000,
      tids: [],
    },
  },
  stale: {
    about: 'I hold this feed for stale, or for fresh.',
    fields: Type.Object(
      {
        channel: Text('channel of `/ws`'),
        coin: Text('coin'),
        stale: Type.Boolean({ description: 'false: I would trade on it' }),
      },
      exact,
    ),
    example: { kind: 'stale', channel: 'l2Book', coin: 'BTC', stale: true },
  },
  subscribed: {
    about: 'I am subscribed to these.',
    fields: Type.Object(
      {
        subscriptions: Type.Array(
          Type.Object(
            {
              channel: Text('channel'),
              coin: Type.Optional(Text('coin')),
              interval: Type.Optional(Text('interval of candles')),
              user: Type.Optional(Text('account')),
            },
            exact,
          ),
          { maxItems: 1_000, description: 'each with its channel and what it is about' },
        ),
      },
      exact,
    ),
    example: { kind: 'subscribed', subscriptions: [{ channel: 'l2Book', coin: 'BTC' }] },
  },
  candle: {
    about: 'This candle is closed.',
    fields: Type.Object(
      {
        coin: Text('coin'),
        interval: Text('interval, such as 1m'),
        t: ShownMs('opening time, ms'),
        o: DecimalText('open'),
        h: DecimalText('high'),
        l: DecimalText('low'),
        c: DecimalText('close'),
        v: Type.Optional(DecimalText('volume in the coin')),
      },
      exact,
    ),
    example: {
      kind: 'candle',
      coin: 'BTC',
      interval: '1m',
      t: 1768478340000,
      o: '96350',
      h: '96360',
      l: '96340',
      c: '96355',
    },
  },
} as const satisfies Record<string, { about: string; fields: TObject; example: object }>

export type ClaimKind = keyof typeof FORMS
/** All kinds with their forms, in the order of the documents. */
export const CLAIM_FORMS: Readonly<
  Record<ClaimKind, { about: string; fields: TObject; example: object }>
> = FORMS
export const CLAIM_KINDS = Object.keys(FORMS) as ClaimKind[]

/** A claim whose form has been checked. */
export type Claim = {
  [K in ClaimKind]: { kind: K } & Static<(typeof FORMS)[K]['fields']>
}[ClaimKind]
export type ClaimOf<K extends ClaimKind> = Extract<Claim, { kind: K }>

/** Every field of any kind, each optional: the kind says which there are. */
export const ClaimBody = Type.Object(
  {
    kind: OneOf([...CLAIM_KINDS], 'kind of the claim'),
    ...Object.fromEntries(
      CLAIM_KINDS.flatMap((kind) => Object.entries(CLAIM_FORMS[kind].fields.properties)).map(
        ([name, schema]) => [name, Type.Optional(schema)],
      ),
    ),
  },
  { title: 'Claim', additionalProperties: false },
)

/** Checks a claim; a UserError has every flaw, and the right form of its kind. */
export function readClaim(given: object): Claim {
  const { kind, ...fields } = given as { kind?: unknown }
  if (typeof kind !== 'string' || !Object.hasOwn(FORMS, kind))
    throw new UserError(
      kind === undefined
        ? `kind is missing: ${CLAIM_KINDS.join(', ')}${strangeText(fields)}`
        : `kind: ${unknownText('kind of claim', String(kind), [...CLAIM_KINDS])}`,
    )
  const { fields: form, example } = CLAIM_FORMS[kind as ClaimKind]
  const flaws = new FlawList()
  flaws.collect(() => checkFields(form, fields, []))
  try {
    flaws.end()
  } catch (error) {
    const text = flawsText(flawsIn(error), 'the claim')
    throw new UserError(`${text}\na claim of this kind is written as ${JSON.stringify(example)}`)
  }
  return given as Claim
}

/** Names the first field that no kind of claim has. */
function strangeText(fields: object): string {
  const isKnown = (name: string) =>
    CLAIM_KINDS.some((kind) => Object.hasOwn(CLAIM_FORMS[kind].fields.properties, name))
  const strange = Object.keys(fields).find((name) => !isKnown(name))
  return strange === undefined ? '' : `; no claim has a field "${strange.slice(0, 40)}"`
}
