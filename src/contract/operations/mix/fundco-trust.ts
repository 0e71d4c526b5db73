import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { FundTrust } from '../../records/mix.ts'
import { Nullable, Type } from '../../schema.ts'

export const mixFundcoTrust = operation({
  id: 'mix.fundcoTrust',
  method: 'GET',
  path: '/mix/fundco-trust',
  aliases: ['/mix/grayscale-trust'],
  title: 'Fund trust',
  about: 'The price of a share in a trust that holds bitcoin.',
  source: 'Feature and signal data; Fund-trust',
  envelope: A,
  access: signedAccess,
  data: Type.Object({ detail: Nullable(FundTrust) }, { additionalProperties: false }),
  assumed: [
    'One trust, in dollars. The share price follows the price of bitcoin, less a daily fee, with ' +
      'a daily discount or premium from the seed.',
    'Open, high and low are of the day since 00:00 UTC; shares are traded round the clock.',
    '`detail` is null before the first price.',
  ],
  examples: [{ name: 'now' }],
  answer: (_, facts) => ({ detail: facts.mix.trust() }),
})
