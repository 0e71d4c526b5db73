/** Who signs what is written. */
import type { Columnist, Language } from '../../../contract/records/content.ts'
import { dice } from '../../../random/dice.ts'
import { personName } from '../../../random/prose.ts'
import { perWorld } from '../per-world.ts'

/** A reserved name: nothing is ever loaded from it. */
export const PICTURES = 'https://static.example.com'

/** How many columnists there are in each language. */
const MANY = 12

/** The columnist of a piece. */
export const columnistOf = perWorld(({ meta: { seed } }) => {
  const known = new Map<string, Columnist>()
  const named = (language: Language, at: number): Columnist => {
    const nick_name = personName(dice(seed, `columnist ${at}`), language)
    const avatar = `${PICTURES}/columnists/${language}-${at}.png`
    return { nick_name, avatar, avatar_black: avatar.replace('.png', '-black.png') }
  }
  return (id: number, language: Language): Columnist => {
    const at = dice(seed, `columnist of ${id}`).between(1, MANY)
    const columnist = known.get(`${language}/${at}`) ?? named(language, at)
    known.set(`${language}/${at}`, columnist)
    return columnist
  }
})
