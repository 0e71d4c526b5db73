import { Dex } from '../dex.ts'
import { Meta } from '../records/meta.ts'
import { Nullable, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const meta = infoType({
  type: 'meta',
  title: 'Universe of perpetuals',
  request: Type.Object({
    dex: Dex,
  }),
  data: Nullable(Meta),
  examples: [{}],
  answer: ({ dex = '' }, facts) => facts.venue.meta(dex),
})
