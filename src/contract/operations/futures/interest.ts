import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { FuturesInterest } from '../../records/futures-history.ts'
import { languageOf } from '../../responses/futures-history.ts'
import { Limit, Type, WithDefault } from '../../schema.ts'

export const futuresInterest = operation({
  id: 'futures.interest',
  method: 'GET',
  path: '/futures/interest',
  title: 'Open interest of perpetual pairs',
  about: 'Perpetual pairs of all exchanges, the largest open interest first.',
  source: 'Futures, index and coin data; Futures interest item; Limits',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      lan: WithDefault(
        Type.Union(
          [
            Type.Integer(),
            Type.String({
              pattern: '^[A-Za-z]{2}([-_][A-Za-z]{2,4})?$',
              'x-form': 'a language code such as en',
            }),
          ],
          { description: 'language: 0, 10 or cn Chinese; 11 or en English' },
        ),
        'en',
      ),
      page: WithDefault(Type.Integer({ description: 'from 1', minimum: 1 }), 1),
      pageSize: Limit({ default: 20, max: 20 }, 'pairs a page'),
      currency: WithDefault(
        Type.Union([Type.Literal('cny'), Type.Literal('usd')], {
          description: 'currency of `trade`',
        }),
        'usd',
      ),
    }),
  },
  data: Type.Object({ list: Type.Array(FuturesInterest) }, { additionalProperties: false }),
  assumed: [
    'futures-interest-fields',
    'English, page 1, 20 pairs and USD by default.',
    'The numbers of languages are those of the news lists; only the name of the exchange differs.',
    'The trend has the value at the end of each of the last 24 hours and the present value, in ' +
      'the coin.',
  ],
  examples: [{ name: 'the five largest', query: { lan: 'en', page: '1', pageSize: '5' } }],
  answer: ({ query: { lan, ...rest } }, facts) =>
    mapSlices(facts.futures.openInterestList({ ...rest, language: languageOf(lan) }), (list) => ({
      list,
    })),
})
