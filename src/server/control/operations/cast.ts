/** The cast of a sandbox: the coins, accounts and ids that can be requested. */

import { type Identified, IdOf, Nullable, type Static, Type } from '../../../contract/schema.ts'
import { withLapIds } from '../../../contract/shown-value.ts'
import { PERSONA_NAMES, PERSONAS, type Persona } from '../../../market/schema/trader-rows.ts'
import { magicCatalogue } from '../../../sandbox/fault-injection.ts'
import { controlOperation } from '../control-operation.ts'

// The cast as the control plane shows it: coins, accounts and ids that can be requested.

const texts = (description: string) => Type.Array(Type.String(), { description })
const numbers = (of: Identified, description: string) =>
  Type.Array(IdOf(of, Type.Integer()), { description })
const account = (what: string) => Nullable(Type.String({ description: `account of ${what}` }))
const meanings = Type.Record(Type.String(), Type.String())
const persona = (name: Persona) =>
  Nullable(
    Type.Object(
      {
        address: Type.String({ description: 'the same in every world' }),
        about: Type.String({ description: 'description in one sentence' }),
      },
      { description: PERSONAS[name] },
    ),
  )
const personas = Object.fromEntries(PERSONA_NAMES.map((name) => [name, persona(name)])) as Record<
  Persona,
  ReturnType<typeof persona>
>
const position = { address: Type.String(), coin: Type.String() }

export const CastRecord = Type.Object({
  coins: texts('coins of the perpetual venue'),
  symbols: texts('keys of the depth endpoints'),
  coinKeys: texts('coins by key'),
  indexKeys: texts('indexes by key'),
  stockTickers: texts('stocks'),
  indicatorKeys: texts('indicators'),
  newsIds: numbers('article', 'news so far, newest first'),
  addresses: Type.Object(
    {
      whale: account('the persona whale, else a trader with large orders'),
      maker: account('a trader that quotes both sides'),
      scalper: account('a trader with many trades'),
      twap: account('a trader with TWAP orders'),
      liquidated: account('a trader that was liquidated'),
      builderUser: account('a trader that uses a builder'),
      quiet: account('a trader with few trades'),
    },
    { description: 'the most active of each role; null while the role has not traded' },
  ),
  personas: Type.Object(personas, {
    description: 'in every world; null where the tape has no perpetual of the main dex',
  }),
  oids: Type.Object(
    {
      open: numbers('order', 'on the book'),
      filled: numbers('order', 'filled'),
      cancelled: numbers('order', 'cancelled'),
    },
    { description: 'orders, newest first' },
  ),
  twapIds: numbers('twap', 'TWAP orders, newest first'),
  builders: texts('accounts of builders'),
  openPositions: Type.Array(Type.Object(position)),
  completedPositions: Type.Array(
    Type.Object({
      address: Type.String(),
      coin: Type.String(),
      openTime: Type.Integer({ description: 'shown time, ms' }),
      closeTime: Type.Integer({ description: 'shown time, ms' }),
    }),
  ),
  magic: Type.Optional(
    Type.Object(
      { coins: meanings, addresses: meanings },
      {
        description:
          'values that cause a fault when they are requested; absent if magic values are off',
      },
    ),
  ),
})

export const cast = controlOperation({
  id: 'cast',
  method: 'GET',
  path: '/sandboxes/:id/cast',
  title: 'Accounts, coins and ids that can be requested, as of now',
  data: CastRecord,
  answer(_, { sandbox }) {
    const found = sandbox()
    const { atMs, shiftMs, lap } = found.position()
    const known = found.world.cast({ atMs, shiftMs, answers: found.answers })
    const members = withLapIds(CastRecord, known, lap) as Static<typeof CastRecord>
    return found.config.options.magic === 'off' ? members : { ...members, magic: magicCatalogue() }
  },
})
