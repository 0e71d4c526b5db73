/**
 * Events of institutions by time: every twenty minutes one of them reaches the next stage of its
 * story. Each feed chooses its own events and words.
 */

import type { TapeMs } from '../../../../clock/instant.ts'
import { DAY_MS, HOUR_MS } from '../../../../clock/instant.ts'
import type { CompanyKind } from '../../../../random/made-up-names.ts'
import { type RandomSource, randomSource } from '../../../../random/random-source.ts'
import type { NewsStory } from '../../../events/market-event.ts'
import type { World } from '../../../world/world.ts'
import type { BilingualText } from '../bilingual-text.ts'
import { institutionsOf, institutionsOfKind } from './institutions.ts'
import { type StoryText, stagesOf, storyText } from './stories.ts'

export const EVENT_MS = 20 * 60_000

/** Stories of each kind of institution, in sequence. */
const STORIES: Record<CompanyKind, readonly NewsStory[]> = {
  capital: ['new-fund', 'fund-position'],
  technology: ['product', 'financing'],
  bank: ['licence'],
  mining: ['mining'],
  authority: ['rule-making'],
  research: ['survey'],
}

/** Number of institutions shuffled from round to round, so that none has fixed hours. */
const SHUFFLED = 12

/** The newest event at an instant; `random` chooses the words. */
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
  const scheduled = storyOf(stories, round + at)
  const own = randomSource(world.meta.seed, `story ${scheduled.number} of institution ${at}`)
  const setting = { world, institution, random: own }
  return storyText(scheduled.story, setting, scheduled.stage, { random, ago: agoText(agoMs) })
}

/** The story of a scheduled news event, which begins at its instant. */
export function scheduledStory(
  world: World,
  name: NewsStory,
  atMs: TapeMs,
  random: RandomSource,
): StoryText {
  const own = randomSource(world.meta.seed, `story told at ${atMs}`)
  const institution = own.pick(institutionsOfKind(world)(kindOf(name)))
  const setting = { world, institution, random: own.fork('facts') }
  return storyText(name, setting, 0, { random, ago: agoText(DAY_MS) })
}

const kindOf = (name: NewsStory) =>
  (Object.keys(STORIES) as CompanyKind[]).find((kind) =>
    STORIES[kind].includes(name),
  ) as CompanyKind

/** A block of places in the order of a round. */
function shuffledBlock(world: World, round: number, block: number): number[] {
  const { seed } = world.meta
  const random = randomSource(seed, `round ${round} of institutions from ${block}`)
  const count = Math.min(SHUFFLED, institutionsOf(world).length - block)
  return Array.from({ length: count }, (_, at) => ({ at, rank: random.unit() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ at }) => at)
}

/** Story of an institution's n-th turn, and its stage. */
function storyOf(stories: readonly NewsStory[], turn: number) {
  const length = stories.reduce((sum, name) => sum + stagesOf(name), 0)
  const cycle = Math.floor(turn / length)
  let stage = turn - cycle * length
  let at = 0
  while (stage >= stagesOf(stories[at] as NewsStory)) stage -= stagesOf(stories[at++] as NewsStory)
  return { story: stories[at] as NewsStory, stage, number: cycle * stories.length + at }
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
