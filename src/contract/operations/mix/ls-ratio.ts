import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { LongShortRatio } from '../../records/mix.ts'
import { Nullable, Type } from '../../schema.ts'

export const mixLsRatio = operation({
  id: 'mix.lsRatio',
  method: 'GET',
  path: '/mix/ls-ratio',
  title: 'Long/short ratio',
  about: 'The number of accounts long in bitcoin for each short account.',
  source: 'Feature and signal data; Long/short ratio',
  envelope: A,
  access: signedAccess,
  data: Type.Object({ detail: Nullable(LongShortRatio) }, { additionalProperties: false }),
  assumed: [
    'The ratio of accounts over all exchanges, now, a day ago and a week ago: the values of the ' +
      'indicator lsur for each bitcoin contract, weighted by open interest.',
    'In a world without bitcoin, it is the ratio of the first perpetual; without perpetuals, ' +
      '`detail` is null.',
    '0 while there are no short accounts.',
  ],
  examples: [{ name: 'now' }],
  answer: (_, facts) => mapSlices(facts.mix.longShortRatio(), (detail) => ({ detail })),
})
