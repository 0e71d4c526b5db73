/** Cases that come from the declarations. */
import { CHANNELS, OPERATIONS } from '../contract/index.ts'
import type { Case } from './case.ts'
import { accessCases } from './derived/access.ts'
import { answerCases } from './derived/answers.ts'
import { channelCases } from './derived/channels.ts'
import { formCases } from './derived/forms.ts'
import { parameterCases } from './derived/parameters.ts'

export const DERIVED_CASES: readonly Case[] = [
  ...OPERATIONS.flatMap((operation) => [
    ...answerCases(operation),
    ...accessCases(operation),
    ...parameterCases(operation),
    ...formCases(operation),
  ]),
  ...CHANNELS.flatMap(channelCases),
]
