/** Deviations generated from declarations: of every field, parameter, channel and rule. */

import { CHANNELS, OPERATIONS } from '../../../src/contract/catalogue.ts'
import type { Channel } from '../../../src/contract/channel.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import type { Deviation } from './deviation.ts'
import { accessDeviations } from './generated/access.ts'
import { ackDeviations } from './generated/acknowledgements.ts'
import { addressDeviations } from './generated/address-subscriptions.ts'
import { subscriptionDeviations } from './generated/coin-subscriptions.ts'
import { connectionDeviations } from './generated/connections.ts'
import { envelopeDeviations } from './generated/envelopes.ts'
import { fieldDeviations } from './generated/fields.ts'
import { listDeviations } from './generated/lists.ts'
import { parameterDeviations } from './generated/parameters.ts'
import { pushDeviations } from './generated/pushes.ts'

/** Operations outside of the contract, and the venue's own profile, are excluded. */
const isOfContract = ({ source, profile, servedWhen }: Operation): boolean =>
  !source.startsWith('not in the contract') && !profile && !servedWhen

/** One channel of each path. */
const onePerPath = (channel: Channel, at: number): boolean =>
  CHANNELS.findIndex(({ dialect }) => dialect.path === channel.dialect.path) === at

export const GENERATED_DEVIATIONS: readonly Deviation[] = [
  ...OPERATIONS.filter(isOfContract).flatMap((operation) => [
    ...envelopeDeviations(operation),
    ...accessDeviations(operation),
    ...fieldDeviations(operation),
    ...parameterDeviations(operation),
    ...listDeviations(operation),
  ]),
  ...CHANNELS.flatMap((channel) => [
    ...ackDeviations(channel),
    ...pushDeviations(channel),
    ...subscriptionDeviations(channel),
    ...addressDeviations(channel),
  ]),
  ...CHANNELS.filter(onePerPath).flatMap(connectionDeviations),
]
