import { mapSlices } from '../../clock/turns.ts'
import { publicAccess } from '../access.ts'
import { bare } from '../envelope.ts'
import { VENUE_INFO_TYPES } from '../info/index.ts'
import { infoAnswerer } from '../info/info-type.ts'
import { operation } from '../operation.ts'
import { Type } from '../schema.ts'
import { REQUEST_WEIGHTS } from './request-weights.ts'

const answerInfo = infoAnswerer(VENUE_INFO_TYPES)

/** Answers a body of the venue's `POST /info`: every type there is. */
export const answerVenueInfo: typeof answerInfo = (body, facts) => {
  const parameter = negativeIn(body)
  return parameter === null
    ? answerInfo(body, facts)
    : { refused: 'invalid', parameter, expected: 'a number of 0 or more' }
}

/** The field of a request with a number below 0, which the venue has nowhere; null for none. */
function negativeIn(body: object): string | null {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'number' && value < 0) return name
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const inner = isObject ? Object.entries(value) : []
    for (const [field, each] of inner)
      if (typeof each === 'number' && each < 0) return `${name}.${field}`
  }
  return null
}

export const info = operation({
  id: 'venue.info',
  method: 'POST',
  path: '/info',
  profile: 'raw',
  title: "The perpetual venue's own questions",
  about: 'Unsigned and without an envelope; refusals are worded as the venue words them.',
  source: 'the perpetual venue, info endpoint and rate limits',
  envelope: bare,
  access: publicAccess,
  params: {
    body: Type.Object(
      { type: Type.String({ description: VENUE_INFO_TYPES.map((one) => one.type).join(', ') }) },
      { additionalProperties: true },
    ),
  },
  bodies: new Map(VENUE_INFO_TYPES.map((one) => [one.type, one])),
  data: Type.Unknown({ description: 'as the venue answers this type' }),
  refuses: ['weight', 'infoType', 'missing', 'invalid'],
  assumed: ['venue-rate-limit'],
  examples: [{ name: 'mid prices', body: { type: 'allMids' } }],
  answer: ({ body }, facts, { venue }) => {
    const { base, rowsEach } = REQUEST_WEIGHTS[body.type] ?? REQUEST_WEIGHTS.other
    if (!venue.spend(base)) return { refused: 'weight' }
    return mapSlices(answerVenueInfo(body, facts), (data) => {
      // What it turns out to weigh counts against the next request: this one is answered already.
      if (rowsEach && Array.isArray(data)) venue.spend(Math.floor(data.length / rowsEach))
      return data
    })
  },
})
