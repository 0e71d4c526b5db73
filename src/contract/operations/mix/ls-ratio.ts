import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { A } from '../../envelope.ts'
import { operation } from '../../operation.ts'
import { LongShortRatio } from '../../records/mix.ts'
import { Nullable, Type } from '../../schema.ts'

export const mixLsRatio = operation({
  id: 'mix.lsRatio',
  method: 'GET',
  path: '/mix/ls-ratio',
  title: 'Long/short ratio',
  about: 'How many accounts are long in bitcoin for each that is short.',
  source: 'Feature and signal data; Long/short ratio',
  envelope: A,
  access: signedAccess,
  data: Type.Object({ detail: Nullable(LongShortRatio) }, { additionalProperties: false }),
  assumed: [
    'The ratio is that of accounts, over all exchanges, now, a day ago and a week ago: what ' +
      'the indicator lsur shows of each bitcoin contract, by its share of the open interest.',
    'In a world without bitcoin it is that of the first perpetual, without any `detail` is null.',
    '0 while nobody is short.',
  ],
  examples: [{ name: 'now' }],
  answer: (_, facts) => mapSlices(facts.mix.longShortRatio(), (detail) => ({ detail })),
})
