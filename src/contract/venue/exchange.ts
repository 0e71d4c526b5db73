import { publicAccess } from '../access.ts'
import { bare } from '../envelope.ts'
import { operation } from '../operation.ts'
import { Type } from '../schema.ts'

/** How an action is refused, over HTTP and over a socket: in the form that the venue has for it. */
export const ACTION_REFUSAL = {
  status: 'err',
  response: 'Actions are not carried out here: this is a stand-in for market data alone.',
} as const

export const exchange = operation({
  id: 'venue.exchange',
  method: 'POST',
  path: '/exchange',
  profile: 'raw',
  title: "The perpetual venue's actions, each refused",
  about: 'Orders, cancels and transfers are signed for the venue: each is refused in its form.',
  source: 'the perpetual venue, exchange endpoint',
  envelope: bare,
  access: publicAccess,
  params: {
    body: Type.Object(
      {
        action: Type.Object({}, { additionalProperties: true, description: 'what is to be done' }),
      },
      { additionalProperties: true },
    ),
  },
  data: Type.Object({
    status: Type.Literal('err'),
    response: Type.String({ description: 'why' }),
  }),
  refuses: ['missing', 'invalid'],
  examples: [{ name: 'a cancel', body: { action: { type: 'cancel', cancels: [] }, nonce: 1 } }],
  answer: () => ACTION_REFUSAL,
})
