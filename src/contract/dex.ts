/** The `dex` that some requests name: the main one, or one that a builder runs. */
import type { Facts } from './facts.ts'
import type { Refusal } from './refusal.ts'
import { Type, WithDefault } from './schema.ts'

const name = Type.String({ description: 'empty for the main dex' })

export const Dex = Type.Optional(name)

/** The same where it is read as the main one when left out. */
export const DefaultedDex = Type.Optional(WithDefault(name, ''))

/** Why a dex cannot be asked for that is not there (question `dex-unknown`); null when it can. */
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
