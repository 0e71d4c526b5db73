import { PredictedFunding } from '../records/funding.ts'
import { NoParameters, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const predictedFundings = infoType({
  type: 'predictedFundings',
  profile: 'raw',
  title: 'Funding rates that will be charged next, here and elsewhere',
  request: NoParameters,
  data: Type.Array(PredictedFunding),
  examples: [{}],
  answer: (_, facts) => facts.assetContexts.predictedFundings(),
})
