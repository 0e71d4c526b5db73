import { SpotMeta } from '../records/meta.ts'
import { NoParameters } from '../schema.ts'
import { infoType } from './info-type.ts'

export const spotMeta = infoType({
  type: 'spotMeta',
  title: 'Universe of spot pairs and tokens',
  request: NoParameters,
  data: SpotMeta,
  examples: [{}],
  answer: (_, facts) => facts.venue.spotMeta(),
})
