/** The refusals that an operation can give, each with values that show its form. */

import { expectedText } from '../expected-text.ts'
import type { Operation } from '../operation.ts'
import { parametersOf } from '../parameters.ts'
import type { Refusal, RefusalName } from '../refusal.ts'
import { canBeInvalid } from './parameters.ts'

/** Every refusal that an operation can give, in the order in which they are looked for. */
export function refusalsOf(operation: Operation): Refusal[] {
  return [...namesOf(operation)].map((name) => sample(name, operation))
}

function namesOf(operation: Operation): Set<RefusalName> {
  const { access, method, params, refuses } = operation
  const parameters = parametersOf(operation)
  const names: (RefusalName | false)[] = [
    method !== 'GET' && 'tooLarge',
    access.kind !== 'public' && 'signature',
    access.kind !== 'public' && 'rate',
    access.kind !== 'public' && 'quota',
    (access.kind === 'permission' || access.kind === 'distributor') && 'permission',
    params.body !== undefined && 'body',
    parameters.some(({ place, required }) => required && place !== 'path') && 'missing',
    parameters.some(canBeInvalid) && 'invalid',
    ...refuses,
  ]
  return new Set(names.filter((name) => name !== false))
}

/** A refusal as this operation would give it. */
function sample(name: RefusalName, operation: Operation): Refusal {
  const samples: { [N in RefusalName]: () => Refusal<N> } = {
    signature: () => ({ refused: 'signature' }),
    permission: () => ({ refused: 'permission', name: permissionOf(operation) }),
    missing: () => ({ refused: 'missing', parameter: missingOf(operation) }),
    invalid: () => ({ refused: 'invalid', ...invalidOf(operation) }),
    body: () => ({ refused: 'body', expected: 'a JSON object' }),
    symbol: () => ({ refused: 'symbol', symbol: 'btcswapusdt:nowhere' }),
    bitcoinOnly: () => ({ refused: 'bitcoinOnly' }),
    position: () => ({ refused: 'position' }),
    news: () => ({ refused: 'news' }),
    alert: () => ({ refused: 'alert' }),
    alertAbsent: () => ({ refused: 'alertAbsent' }),
    index: () => ({ refused: 'index' }),
    infoType: () => ({ refused: 'infoType', type: 'orderUpdates' }),
    invite: () => ({ refused: 'invite' }),
    resourceType: () => ({ refused: 'resourceType' }),
    action: () => ({ refused: 'action', name: 'HL_NOTHING' }),
    level: () => ({ refused: 'level', name: 'gold' }),
    levelCount: () => ({ refused: 'levelCount', why: 'there are 500 levels, at most 500' }),
    subKey: () => ({ refused: 'subKey', why: 'level "gold" does not exist' }),
    subKeyAbsent: () => ({ refused: 'subKeyAbsent', name: 'nobody' }),
    rate: () => ({ refused: 'rate', perMinute: 60, retryAfterS: 60 }),
    quota: () => ({ refused: 'quota', retryAfterS: 86_400 }),
    timeRange: () => ({ refused: 'timeRange', maxS: 604_800 }),
    connections: () => ({ refused: 'connections', most: 10 }),
    weight: () => ({ refused: 'weight' }),
    path: () => ({ refused: 'path' }),
    method: () => ({ refused: 'method', allowed: [operation.method] }),
    tooLarge: () => ({ refused: 'tooLarge', maxBytes: 1 << 20 }),
    fault: () => ({ refused: 'fault' }),
    storage: () => ({ refused: 'storage' }),
    notRecorded: () => ({ refused: 'notRecorded', why: `not recorded: ${operation.id}` }),
    upstream: () => ({ refused: 'upstream', why: 'no answer' }),
  }
  return samples[name]()
}

function permissionOf({ access }: Operation): string {
  return access.kind === 'permission' ? access.name : 'DISTRIBUTOR'
}

function missingOf(operation: Operation): string {
  // A path without its parameter is another path. Some answers need what may be left out.
  const parameters = parametersOf(operation).filter(({ place }) => place !== 'path')
  const missed =
    parameters.find(({ required }) => required) ??
    parameters.find(({ schema }) => schema.default === undefined)
  return missed?.name ?? 'parameter'
}

function invalidOf(operation: Operation): { parameter: string; expected: string } {
  const candidates = parametersOf(operation).filter(canBeInvalid)
  // "must be text" says little: one that has a form is preferred.
  const withForm =
    candidates.find(({ schema }) => !expectedText(schema).startsWith('text')) ?? candidates[0]
  if (!withForm) return { parameter: 'parameter', expected: 'of the documented form' }
  return { parameter: withForm.name, expected: expectedText(withForm.schema) }
}
