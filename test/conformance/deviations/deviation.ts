/** A deviation of a service from the contract, as a small value. */

import type { Change } from '../../../src/conformance/lies/lying-transport.ts'
import type { TargetTransport } from '../../../src/conformance/target-transport.ts'

/** Classes of the kill table, with their descriptions. */
export const CLASSES = {
  envelope: 'wrapping of answers',
  access: 'who is let in',
  permission: 'permissions and how they are shown',
  'field-name': 'fields renamed',
  'field-gone': 'fields dropped',
  'field-null': 'fields null',
  'field-type': 'fields of another type',
  'field-form': 'texts of another form',
  unit: 'seconds for milliseconds, percent for fractions',
  'parameter-ignored': 'parameters not read',
  'parameter-misread': 'parameters read as another value',
  'parameter-required': 'what must be given is not required',
  'value-refused': 'listed values refused',
  'value-misread': 'listed values read as others',
  limit: 'limits one off, ignored or refused',
  batch: 'lists in a request cut elsewhere',
  order: 'rows in another order',
  rows: 'rows repeated or missing',
  ack: 'acknowledgements',
  push: 'what is pushed live',
  snapshot: 'what is pushed first',
  subscription: 'what a subscription does',
  connection: 'connections: heartbeats, statistics, time',
  rule: 'rules, by hand',
} as const

export type DeviationClass = keyof typeof CLASSES

export interface Deviation {
  /** `field-gone.coin.ticker[].price_usd`: unique. */
  id: string
  class: DeviationClass
  /** The operation or channel that shows it; null for any. */
  of: string | null
  /** The only case that may detect it, where one is written for it. */
  caseId?: string
  /** Reason why the default world may lack data to show it. */
  unshown?: string
  /** Creates the change, without state so far. */
  change: (place: Place) => Change
}

/** Facts about the sandbox for a change. */
export interface Place {
  /** Time of signatures, s. */
  nowS: () => number
  /** Time of the sandbox, ms. */
  nowMs: () => number
  /** Transport behind the deviation. */
  transport: TargetTransport
}
