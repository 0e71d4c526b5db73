/** The `dex` of requests: the main one, or one that a builder runs. */
import type { Facts } from './facts.ts'
import type { Refusal } from './refusal.ts'
import { Type, WithDefault } from './schema.ts'

const name = Type.String({ description: 'empty for the main dex' })

export const Dex = Type.Optional(name)

/** A dex that is the main one by default. */
export const DefaultedDex = Type.Optional(WithDefault(name, ''))

/** The refusal of an unknown dex (question `dex-unknown`); null for a known one. */
export function dexFlaw(dex: string, { venue, moment }: Facts): Refusal<'invalid'> | null {
  const names = venue.dexNames()
  if (moment.answers['dex-unknown'] === 'empty' || names.includes(dex)) return null
  const builders = names.filter((name) => name !== '')
  const main = 'empty for the main dex'
  const expected = builders.length > 0 ? `one of ${builders.join(', ')}, or ${main}` : main
  return { refused: 'invalid', parameter: 'dex', expected }
}

/** Whether a dex can be subscribed to. */
export const isDex = (dex: string, facts: Facts): boolean => dexFlaw(dex, facts) === null
