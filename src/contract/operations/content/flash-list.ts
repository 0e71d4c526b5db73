import { signedAccess } from '../../access.ts'
import { meant } from '../../meaning.ts'
import { A, operation } from '../../operation.ts'
import { IndustryFlash, LanguageWord } from '../../records/content.ts'
import { TimeS, Type } from '../../schema.ts'

export const contentFlashList = operation({
  id: 'content.flashList',
  method: 'GET',
  path: '/content/flashList',
  title: 'Industry flashes',
  about:
    'Flashes about the market by type: new highs, volume, liquidations, whales, funds and more. ' +
    'They describe events of this market.',
  source: 'Content; Newsflash',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      language: LanguageWord,
      createtime: meant('instant', Type.Optional(TimeS('where to go on from, s'))),
    }),
  },
  data: Type.Array(IndustryFlash),
  assumed: [
    'flash-createtime',
    'Simplified Chinese by default; 20 per page, newest first; `createtime` is in seconds.',
    'No two flashes are of the same second, so that paging by `createtime` loses none.',
    'Flashes about options are invented around the price of the coin, because this market has no ' +
      'options.',
    'The index of type 10 is the market value of all coins of the coin list.',
  ],
  examples: [
    { name: 'the newest in English', query: { language: 'en' } },
    { name: 'traditional Chinese', query: { language: 'tc' } },
  ],
  answer: ({ query: { language, createtime } }, facts) =>
    facts.content.industryFlashes({
      language,
      createTimeMs: createtime === undefined ? undefined : createtime * 1000,
    }),
})
