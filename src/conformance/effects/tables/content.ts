import type { Parameter } from '../../../contract/parameters.ts'
import type { AskedOperation } from '../../derived/asked-operation.ts'
import type { JsonObject } from '../../parsed-json.ts'
import type { Effect, EffectTable } from '../effect.ts'
import { nameOf } from '../effect.ts'
import { someNewsIds } from '../known-values.ts'
import { pages } from '../pages.ts'
import { names } from '../selection.ts'
import { cursor } from '../time-bounds.ts'
import { languages } from '../wording.ts'

const WORDS = { cn: 'cn', en: 'en', tc: 'tc' }

/** Flashes are of the exchanges named, and of the first five of them. */
const members: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const of = async (memberIds: string) => {
    const one = asked.with({ query: { pageSize: '100' } }).withValue(parameter, memberIds)
    return (await one.objects()).map(({ id }) => String(id))
  }
  const [one, other] = [await of('477'), await of('1509')]
  if (one.length === 0 && other.length === 0) asked.probe.skip('there are no flashes of either')
  const both = one.filter((id) => other.includes(id))
  asked.probe.assert(both.length === 0, 'no flash is of two exchanges', both)
  for (const before of [4, 5]) {
    const unknown = Array.from({ length: before }, (_, at) => 990_000_001 + at)
    const member = one.length > 0 ? '477' : '1509'
    const found = await of([...unknown, member].join(','))
    asked.probe.assert(
      found.length > 0 === before < 5,
      `${nameOf(asked, parameter, `${before} others and ${member}`)} reads five and no more`,
      { expected: before < 5 ? 'some' : [], found },
    )
  }
}

/** Sites repeat one another's titles. */
const item = ({ title, pubDate, image }: JsonObject) => `${title} ${pubDate} ${image}`

export const CONTENT_EFFECTS: EffectTable = {
  'content.aiCoins': {
    coinKeys: { effect: names('coinKey', [['bitcoin'], ['ethereum']]) },
    language: {
      listed: languages({ cn: 'CN', en: 'EN', tc: 'TC' }, 'interpret'),
      checks: ['content.aiCoins.languages'],
    },
  },
  'content.exchangeListingFlash': {
    language: { listed: languages(WORDS, 'content') },
    memberIds: { effect: members, checks: ['limit.memberIds'] },
    pageSize: { counted: true },
  },
  'content.flashList': {
    language: { listed: languages(WORDS, 'content') },
    createtime: { effect: cursor() },
  },
  'content.newsDetail': { id: { effect: names('id', someNewsIds) } },
  'content.newsList': { page: { effect: pages('id') }, pageSize: { counted: true } },
  'content.newsflash': {
    language: { listed: languages(WORDS, 'content'), checks: ['content.newsflash.languages'] },
  },
  'content.rssNewsList': { page: { effect: pages(item) }, pageSize: { counted: true } },
}
