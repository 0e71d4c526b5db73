/** Sentences with slots, in two languages; the compiler knows which slots a choice of them has. */
import type { RandomSource } from '../../../random/random-source.ts'
import { type BilingualText, phrase, type TemplatePart } from './bilingual-text.ts'

/** One way to say something, with `{slots}`. */
export type Wording = readonly [cn: string, en: string]

/** The names in the braces of a text. */
export type SlotsOf<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? Slot | SlotsOf<Rest>
  : never

/** What fills the slots of all of some wordings. */
export type PartsOf<W extends Wording> = Record<SlotsOf<W[number]>, TemplatePart>

/** One of some ways to say it. */
export function worded<const W extends Wording>(
  random: RandomSource,
  wordings: readonly W[],
  parts: PartsOf<W>,
): BilingualText {
  const [cn, en] = random.pick(wordings)
  return phrase(cn, en, parts)
}

/** So many different ones of a list, in its order. */
export function someOf<T>(random: RandomSource, list: readonly T[], count: number): T[] {
  const left = list.map((_, at) => at)
  while (left.length > count) left.splice(random.between(0, left.length - 1), 1)
  return left.map((at) => list[at] as T)
}
