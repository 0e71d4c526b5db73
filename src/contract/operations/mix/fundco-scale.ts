import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { FundScale, TRUST_COINS } from '../../records/mix.ts'
import { trustCoins } from '../../responses/mix.ts'
import { SymbolName, Type, WithDefault, withKeywords } from '../../schema.ts'

export const mixFundcoScale = operation({
  id: 'mix.fundcoScale',
  method: 'GET',
  path: '/mix/fundco-scale',
  aliases: ['/mix/gray-scale'],
  title: 'Scale of the fund trusts',
  about: 'The holdings of each trust, and their change since the previous day.',
  source: 'Feature and signal data; Fund-scale',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      coins: WithDefault(
        withKeywords(SymbolName(`comma-separated, of ${TRUST_COINS.join(', ')}`), {
          'x-list': ',',
        }),
        TRUST_COINS.join(','),
      ),
    }),
  },
  data: Type.Object({ detail: FundScale }, { additionalProperties: false }),
  assumed: [
    'fundco-scale-unit',
    'All nine coins by default; the answer omits unknown names.',
    'The holdings of a trust follow from the seed and change daily at 00:00 UTC.',
  ],
  examples: [{ name: 'two coins', query: { coins: 'btc,eth' } }],
  answer: ({ query }, facts) => ({ detail: facts.mix.scales(trustCoins(query.coins)) }),
})
