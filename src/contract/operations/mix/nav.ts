import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { LanguageParameter, NavItem } from '../../records/mix.ts'
import { Type } from '../../schema.ts'

export const mixNav = operation({
  id: 'mix.nav',
  method: 'GET',
  path: '/mix/nav',
  title: 'Navigation',
  about: 'The main trading pair of each coin, then the indexes.',
  source: 'Feature and signal data; Navigation item',
  envelope: A,
  access: signedAccess,
  params: { query: Type.Object({ lan: LanguageParameter }) },
  data: Type.Array(NavItem),
  assumed: [
    'nav-trades',
    'Chinese by default, because amounts are in yuan by default.',
    'Pairs of the perpetual venue; pairs without a trade are omitted.',
    'Indexes are those of the index list.',
  ],
  examples: [{ name: 'in English', query: { lan: 'en' } }],
  answer: ({ query }, facts) => facts.mix.navigation(query.lan),
})
