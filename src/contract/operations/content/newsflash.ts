import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { LanguageWord, Newsflash } from '../../records/content.ts'
import { Type } from '../../schema.ts'

export const contentNewsflash = operation({
  id: 'content.newsflash',
  method: 'GET',
  path: '/content/newsflash',
  title: 'Newsflashes',
  about: 'The 20 newest short news items, about the market and about companies.',
  source: 'Content; Newsflash',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      language: LanguageWord,
    }),
  },
  data: Type.Array(Newsflash),
  assumed: [
    'Simplified Chinese by default, as for AI insights.',
    'The 20 newest, newest first; `createtime` is in seconds.',
    'A flash has one id in all languages. Companies and people are invented, prices are not.',
  ],
  examples: [{ name: 'in English', query: { language: 'en' } }],
  answer: ({ query }, facts) => facts.content.newsflashes(query.language),
})
