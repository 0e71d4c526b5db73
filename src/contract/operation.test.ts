import { expect, test } from 'bun:test'
import { signedAccess } from './access.ts'
import type { Facts } from './facts.ts'
import { B, type Opaque, operation } from './operation.ts'
import type { Refusal } from './refusal.ts'
import { Type } from './schema.ts'

const usual = {
  id: 'group.one',
  method: 'GET' as const,
  path: '/one',
  title: 'One',
  source: 'here',
  envelope: B(),
  access: signedAccess,
  data: Type.Object({ price: Type.String() }),
  examples: [],
}

const either = (absent: boolean): { price: string } | Refusal<'symbol'> =>
  absent ? { refused: 'symbol', symbol: 'x' } : { price: '1' }

// The type checker checks what must not compile: an expected error that does not occur is one.
test('only a declared refusal can be returned', () => {
  const declared = [
    operation({ ...usual, refuses: ['symbol'], answer: () => either(true) }),
    operation({ ...usual, refuses: ['symbol', 'index'], answer: () => either(true) }),
    // @ts-expect-error nothing is declared
    operation({ ...usual, answer: () => either(true) }),
    // @ts-expect-error another one is declared
    operation({ ...usual, refuses: ['index'], answer: () => either(true) }),
    // @ts-expect-error another one is declared
    operation({ ...usual, refuses: ['index'], answer: () => ({ refused: 'fault' }) }),
    // @ts-expect-error there is no such refusal
    operation({ ...usual, refuses: ['symbols'], answer: () => ({ price: '1' }) }),
    // @ts-expect-error any refusal at all
    operation({ ...usual, refuses: ['symbol'], answer: (): Refusal => ({ refused: 'symbol' }) }),
  ]
  expect(declared).toHaveLength(7)
})

test('data without a schema hides no refusal', () => {
  const data = Type.Unknown()
  const opaque = (absent: boolean): Opaque | Refusal<'symbol'> => either(absent) as never
  const declared = [
    operation({ ...usual, data, refuses: ['symbol'], answer: () => opaque(true) }),
    // @ts-expect-error nothing is declared
    operation({ ...usual, data, answer: () => opaque(true) }),
    // @ts-expect-error anything could be a refusal
    operation({ ...usual, data, answer: (): unknown => either(true) }),
  ]
  expect(declared).toHaveLength(3)
})

test('the refusals of the facts are in their type', () => {
  type Discovered = ReturnType<Facts['traders']['discover']>
  const kept: Extract<Discovered, Refusal>['refused'][] = [
    'invalid',
    // @ts-expect-error a search refuses unknown names, and nothing else
    'symbol',
  ]
  expect(kept).toHaveLength(2)
})
