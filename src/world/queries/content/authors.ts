/** The authors of newsflashes. */
import type { Columnist, Language } from '../../../contract/records/content.ts'
import { personName } from '../../../random/made-up-names.ts'
import { randomSource } from '../../../random/random-source.ts'
import { perWorld } from '../../per-world.ts'

/** A reserved name: nothing is ever loaded from it. */
export const PICTURE_ORIGIN = 'https://static.example.com'

/** How many columnists there are in each language. */
const AUTHORS_PER_LANGUAGE = 12

/** The author of a post. */
export const authorOf = perWorld(({ meta: { seed } }) => {
  const known = new Map<string, Columnist>()
  const named = (language: Language, at: number): Columnist => {
    const nick_name = personName(randomSource(seed, `columnist ${at}`), language)
    const avatar = `${PICTURE_ORIGIN}/columnists/${language}-${at}.png`
    return { nick_name, avatar, avatar_black: avatar.replace('.png', '-black.png') }
  }
  return (id: number, language: Language): Columnist => {
    const at = randomSource(seed, `columnist of ${id}`).between(1, AUTHORS_PER_LANGUAGE)
    const columnist = known.get(`${language}/${at}`) ?? named(language, at)
    known.set(`${language}/${at}`, columnist)
    return columnist
  }
})
