import { NoParameters, TimeMs, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const exchangeStatus = infoType({
  type: 'exchangeStatus',
  profile: 'raw',
  title: 'State of the venue',
  request: NoParameters,
  data: Type.Object(
    { time: TimeMs('the present'), specialStatuses: Type.Null() },
    { additionalProperties: false },
  ),
  examples: [{}],
  answer: (_, { moment }) => ({ time: moment.atMs, specialStatuses: null }),
})
