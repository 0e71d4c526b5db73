import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { AiInsight, type Language } from '../../records/content.ts'
import { Batch, OneOf, SymbolName, Type, WithDefault } from '../../schema.ts'

export const contentAiCoins = operation({
  id: 'content.aiCoins',
  method: 'POST',
  path: '/content/ai-coins',
  title: 'AI insights into coins',
  about: 'A text about each coin: events of the last day, and an outlook.',
  source: 'Content; AI insight item',
  envelope: A,
  access: signedAccess,
  params: {
    body: Type.Object({
      coinKeys: Batch(SymbolName('key of a coin'), 100, 'keys of the coin list'),
      language: WithDefault(
        OneOf(['CN', 'EN', 'TC'], 'simplified Chinese, English, traditional Chinese'),
        'CN',
      ),
    }),
  },
  data: Type.Object({ list: Type.Array(AiInsight) }, { additionalProperties: false }),
  assumed: [
    'The answer omits unknown coin keys, and all keys after the first 100.',
    'The price is in USD in every language, and price and degree are those of the coin ticker.',
    'A coin whose price has not changed in 24 hours counts as rising.',
    'The signature is taken from the body or from the query string; further fields are ignored.',
  ],
  examples: [
    { name: 'two coins', body: { coinKeys: ['bitcoin', 'ethereum'], language: 'EN' } },
    { name: 'in Chinese', body: { coinKeys: ['bitcoin'] } },
  ],
  answer: ({ body: { coinKeys, language } }, facts) =>
    mapSlices(facts.content.insights(coinKeys, language.toLowerCase() as Language), (list) => ({
      list,
    })),
})
