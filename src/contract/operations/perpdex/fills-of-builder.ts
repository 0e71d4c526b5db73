import { permission } from '../../access.ts'
import { castFrom } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { BuilderFill } from '../../records/fill.ts'
import { Address, Coin, Limit, Type, WithDefault } from '../../schema.ts'

export const fillsOfBuilder = operation({
  id: 'perpdex.fillsOfBuilder',
  method: 'GET',
  path: '/hl/fills/builder/:builder/latest',
  title: 'Latest fills of a builder',
  about: 'Fills that came through a front end, newest first, with its earnings.',
  source: 'Perpetual-DEX REST; Limits; Perpetual-DEX records',
  envelope: B(),
  access: permission('HL_FILLS_BUILDER'),
  params: {
    path: Type.Object({ builder: castFrom('builders', Address('address of the builder')) }),
    query: Type.Object({
      coin: Type.Optional(Coin()),
      limit: Limit({ default: 1000, max: 2000 }),
      minVal: WithDefault(
        Type.Integer({
          minimum: 0,
          description: 'minimum of price x size, USD',
          'x-alias': ['min_val'],
        }),
        0,
      ),
    }),
  },
  data: Type.Array(BuilderFill),
  assumed: ['builder-fill-ids', 'Newest first.', 'An unknown builder has no fills: an empty list.'],
  examples: [
    { name: 'latest fills', path: { builder: '0x0000000000000000000000000000000000000001' } },
  ],
  answer: ({ path, query: { minVal, ...query } }, facts) =>
    facts.fills.ofBuilder(path.builder, { ...query, minUsd: minVal }),
})
