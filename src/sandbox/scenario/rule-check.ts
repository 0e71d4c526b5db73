/** Whether a rule can act at all: what never could is refused rather than kept in silence. */
import { CHANNELS, OPERATIONS } from '../../contract/catalogue.ts'
import { type FieldPath, FlawList } from '../../contract/fields/field-flaw.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { REFUSALS } from '../../contract/refusal-forms.ts'
import { VENUE_CHANNELS } from '../../contract/venue.ts'
import type { Fault } from './fault.ts'
import { fits } from './name-match.ts'
import type { Rule, RuleSelector } from './scenario.ts'
import { ruleSpanMs } from './scenario-run.ts'

type CheckedRule = Omit<Rule, 'randomName'>

/** Throws what is wrong with a rule whose fields are sound one by one. */
export function checkRule(
  { on = {}, fault, every, for: length }: CheckedRule,
  at: FieldPath,
): void {
  const flaws = new FlawList()
  for (const [field, { kind, names }] of KNOWN_NAMES) {
    const known = on[field] === undefined ? [] : names()
    for (const name of [on[field] ?? []].flat())
      if (!flaws.isFull && !known.some((one) => fits(name, one)))
        flaws.add([...at, 'on', field], `is wrong: ${unknownText(kind, name, known)}`)
  }
  const clash = clashOf(on, fault)
  if (clash) flaws.add([...at, 'on', clash[0]], clash[1])
  for (const [field, text] of [
    ['every', every],
    ['for', length],
  ] as const)
    if (text !== undefined && ruleSpanMs(text) === 0) flaws.add([...at, field], 'must be above 0')
  flaws.end()
}

/** Throws when two rules have one name: the journal could not tell them apart. */
export function checkNames(rules: readonly { name?: string }[]): void {
  const flaws = new FlawList()
  const firsts = new Map<string, number>()
  for (const [at, { name }] of rules.entries()) {
    const first = name === undefined ? undefined : firsts.get(name)
    if (first !== undefined)
      flaws.add(['rules', at, 'name'], `is "${name}", as is that of rules.${first}`)
    else if (name !== undefined) firsts.set(name, at)
  }
  flaws.end()
}

const idsOf = (declared: readonly { id: string }[]) => [...new Set(declared.map(({ id }) => id))]

/** Operations, and those with a type in the body once more for each type. */
export const operationNames = (): readonly string[] => {
  operations ??= [
    ...new Set(
      OPERATIONS.flatMap(({ id, bodies }) => [
        id,
        ...[...(bodies?.keys() ?? [])].map((type) => `${id}/${type}`),
      ]),
    ),
  ]
  return operations
}
let operations: readonly string[] | undefined

const channelNames = (): readonly string[] => {
  channels ??= idsOf([...CHANNELS, ...VENUE_CHANNELS])
  return channels
}
let channels: readonly string[] | undefined

const KNOWN_NAMES = new Map([
  ['operation', { kind: 'operation', names: operationNames }],
  ['channel', { kind: 'channel', names: channelNames }],
  ['refused', { kind: 'refusal', names: () => Object.keys(REFUSALS) }],
] as const)

/** A field of `on` that keeps the fault from ever acting, and why. */
function clashOf(on: RuleSelector, fault: Fault): [field: string, why: string] | null {
  const { operation, channel, refused } = on
  if (operation !== undefined && channel !== undefined)
    return ['channel', 'cannot stand beside operation: no request has a channel; make two rules']
  if (operation !== undefined && isOfSockets(fault))
    return ['operation', `is of requests, and ${fault.name} acts on sockets: use channel`]
  if (channel !== undefined && (fault.onResponse || fault.oncePerQuota))
    return ['channel', `is of sockets, and ${fault.name} acts on requests: use operation`]
  if (refused !== undefined && !fault.onResponse)
    return ['refused', `is known when the answer leaves, and ${fault.name} acts before that`]
  return wholeClashOf(on, fault)
}

const isOfSockets = (fault: Fault) =>
  (fault.onPush ?? fault.lostReply ?? fault.subscriptionRefusal) !== undefined ||
  isOfConnections(fault)

const isOfConnections = (fault: Fault) =>
  fault.closeCode !== undefined || fault.stalledFrames !== undefined

/** The same where a connection is meant, which has no coin, or a time, which has no number. */
function wholeClashOf(on: RuleSelector, fault: Fault): [field: string, why: string] | null {
  const isWhole = isOfConnections(fault) || fault.lostReply !== undefined
  const isUpgrade = on.channel !== undefined && fault.onRequest !== undefined
  for (const field of ['coin', 'address'] as const)
    if ((isWhole || isUpgrade) && on[field] !== undefined)
      return [field, `is of requests and pushes, and ${fault.name} acts on connections here`]
  for (const field of ['nth', 'everyNth', 'probability'] as const)
    if (fault.stalledFrames && on[field] !== undefined)
      return [field, `counts what comes, and ${fault.name} lasts: use from, for and every`]
  return null
}
