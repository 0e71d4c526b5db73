/**
 * What institutions do, as a line of dated events: every twenty minutes one of them tells the next
 * stage of its story. Who reports an event, and in which words, is up to the feeds.
 */
import { DAY_MS, HOUR_MS } from '../../../../clock/durations.ts'
import type { TapeMs } from '../../../../clock/instant.ts'
import type { NewsStory } from '../../../../market/events/news.ts'
import type { CompanyKind } from '../../../../random/made-up-names.ts'
import { type RandomSource, randomSource } from '../../../../random/random-source.ts'
import type { World } from '../../../world.ts'
import type { BilingualText } from '../bilingual-text.ts'
import { financing } from './financing.ts'
import { fundPosition } from './fund-position.ts'
import { institutionsOf, institutionsOfKind } from './institutions.ts'
import { licence } from './licence.ts'
import { mining } from './mining.ts'
import { newFund } from './new-fund.ts'
import { product } from './product.ts'
import { ruleMaking } from './rule-making.ts'
import type { Story, StoryText } from './story.ts'
import { survey } from './survey.ts'

export const EVENT_MS = 20 * 60_000

/** The stories of each kind of institution, which it goes through one after the other. */
const STORIES: Record<CompanyKind, readonly Story[]> = {
  capital: [newFund, fundPosition],
  technology: [product, financing],
  bank: [licence],
  mining: [mining],
  authority: [ruleMaking],
  research: [survey],
}

/** Institutions that change places from round to round, so that none is heard at fixed hours. */
const SHUFFLED = 12

/** The newest event at an instant, told in words that `random` chooses. */
export function businessEvent(world: World, atMs: TapeMs, random: RandomSource): StoryText {
  const all = institutionsOf(world)
  const slotOf = (timeMs: TapeMs) => Math.floor(timeMs / EVENT_MS)
  const number = slotOf(atMs) - slotOf(world.meta.historyStartMs)
  const round = Math.floor(number / all.length)
  const place = number - round * all.length
  const block = Math.floor(place / SHUFFLED) * SHUFFLED
  const order = shuffledBlock(world, round, block)
  const at = block + (order[place - block] as number)
  const institution = all[at] as (typeof all)[number]
  const before = shuffledBlock(world, round - 1, block).indexOf(at - block)
  const agoMs = (number - ((round - 1) * all.length + block + before)) * EVENT_MS
  const stories = STORIES[institution.kind]
  const told = storyOf(stories, round + at)
  const own = randomSource(world.meta.seed, `story ${told.number} of institution ${at}`)
  const setting = { world, institution, random: own }
  return told.story.tell(setting, told.stage, { random, ago: agoText(agoMs) })
}

/** A story that begins at an instant because the market was told so. */
export function toldStory(
  world: World,
  name: NewsStory,
  atMs: TapeMs,
  random: RandomSource,
): StoryText {
  const { story, kind } = TOLD[name]
  const own = randomSource(world.meta.seed, `story told at ${atMs}`)
  const institution = own.pick(institutionsOfKind(world)(kind))
  const setting = { world, institution, random: own.fork('facts') }
  return story.tell(setting, 0, { random, ago: agoText(DAY_MS) })
}

const TOLD: Record<NewsStory, { story: Story; kind: CompanyKind }> = {
  financing: { story: financing, kind: 'technology' },
  'fund-position': { story: fundPosition, kind: 'capital' },
  licence: { story: licence, kind: 'bank' },
  mining: { story: mining, kind: 'mining' },
  'new-fund': { story: newFund, kind: 'capital' },
  product: { story: product, kind: 'technology' },
  'rule-making': { story: ruleMaking, kind: 'authority' },
  survey: { story: survey, kind: 'research' },
}

/** A block of places in the order of a round. */
function shuffledBlock(world: World, round: number, block: number): number[] {
  const { seed } = world.meta
  const random = randomSource(seed, `round ${round} of institutions from ${block}`)
  const count = Math.min(SHUFFLED, institutionsOf(world).length - block)
  return Array.from({ length: count }, (_, at) => ({ at, rank: random.unit() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ at }) => at)
}

/** Which story an institution tells at its so-manieth turn, and how far it has come. */
function storyOf(stories: readonly Story[], turn: number) {
  const length = stories.reduce((sum, { stages }) => sum + stages, 0)
  const cycle = Math.floor(turn / length)
  let stage = turn - cycle * length
  let at = 0
  while (stage >= (stories[at] as Story).stages) stage -= (stories[at++] as Story).stages
  return { story: stories[at] as Story, stage, number: cycle * stories.length + at }
}

/** `2天`, `2 days`; hours below a day. */
function agoText(ms: number): BilingualText {
  if (ms < DAY_MS) {
    const hours = Math.max(1, Math.round(ms / HOUR_MS))
    return { cn: `${hours}小时`, en: hours === 1 ? 'an hour' : `${hours} hours` }
  }
  const days = Math.round(ms / DAY_MS)
  return { cn: `${days}天`, en: days === 1 ? 'a day' : `${days} days` }
}
