import { permission } from '../../access.ts'
import { castFrom } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { FillInForm } from '../../records/fill.ts'
import { IdOf, Type } from '../../schema.ts'

export const fillsOfOrder = operation({
  id: 'perpdex.fillsOfOrder',
  method: 'GET',
  path: '/hl/fills/oid/:oid',
  title: 'Fills of an order',
  source: 'Perpetual-DEX REST',
  envelope: B(),
  access: permission('HL_FILLS'),
  params: {
    path: Type.Object({
      oid: IdOf(
        'order',
        castFrom('oids.filled', Type.Integer({ minimum: 0, description: 'order id' })),
      ),
    }),
  },
  data: Type.Array(FillInForm),
  assumed: ['fill-form', 'An unknown order id has no fills: an empty list.'],
  examples: [{ name: 'an order', path: { oid: '1' } }],
  answer: ({ path }, facts) => facts.fills.ofOrder(path.oid),
})
