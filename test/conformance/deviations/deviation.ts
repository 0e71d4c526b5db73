/** A way in which a service departs from the contract, as a small value. */
import type { TargetTransport } from '../../../src/conformance/target-transport.ts'
import type { Change } from './change.ts'

/** What the kill table counts by, and in which words. */
export const CLASSES = {
  envelope: 'wrapping of answers',
  access: 'who is let in',
  permission: 'permissions and how they are told',
  'field-name': 'fields renamed',
  'field-gone': 'fields dropped',
  'field-null': 'fields null',
  'field-type': 'fields of another type',
  'field-form': 'texts of another form',
  unit: 'seconds for milliseconds, percent for fractions',
  'parameter-ignored': 'parameters not read',
  'parameter-misread': 'parameters read as another value',
  'parameter-required': 'what must be given is not asked for',
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
  /** `field-gone.coin.ticker[].price_usd`: no two are the same. */
  id: string
  class: DeviationClass
  /** The operation or channel that shows it; null where any may. */
  of: string | null
  /** The only case that may notice, where one is written for it. */
  caseId?: string
  /** Why the default world may have nothing to show it on. */
  unshown?: string
  /** A new change, that remembers nothing yet. */
  change: (place: Place) => Change
}

/** What of the sandbox a change may know. */
export interface Place {
  /** What is signed with, s. */
  nowS: () => number
  /** Time of the sandbox, ms. */
  nowMs: () => number
  /** What is behind the deviation. */
  transport: TargetTransport
}
