import { permission } from '../../access.ts'
import { castFrom } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { AddressFill, Fill, SliceFill } from '../../records/fill.ts'
import { Type } from '../../schema.ts'

export const fillsOfTwap = operation({
  id: 'perpdex.fillsOfTwap',
  method: 'GET',
  path: '/hl/fills/twapid/:twapid',
  title: 'Fills of a TWAP',
  about: 'Oldest first. Their sizes add up to its executed size.',
  source: 'Perpetual-DEX REST; form by public documentation',
  envelope: B(),
  access: permission('HL_FILLS_BY_TWAP_ID'),
  params: {
    path: Type.Object({
      twapid: castFrom('twapIds', Type.Integer({ minimum: 0, description: 'TWAP id' })),
    }),
  },
  data: Type.Union([Type.Array(SliceFill), Type.Array(AddressFill), Type.Array(Fill)]),
  assumed: ['twap-fill-form', 'An unknown TWAP has no fills: an empty list.'],
  examples: [{ name: 'a TWAP', path: { twapid: '1' } }],
  answer: ({ path }, facts) => facts.fills.ofTwap(path.twapid),
})
