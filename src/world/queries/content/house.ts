/** People and houses that are made up, with a name in each language. */
import type { Dice } from '../../../random/dice.ts'
import { houseName, personName, type Trade } from '../../../random/prose.ts'
import type { Words } from './phrase.ts'

/** A house that invests, studies or builds. */
export const house = (dice: Dice, trade: Trade): Words => ({
  cn: houseName(dice.fork(trade), trade, 'cn'),
  en: houseName(dice.fork(trade), trade, 'en'),
})

/** Somebody who says something. */
export const person = (dice: Dice): Words => ({
  cn: personName(dice.fork('person'), 'cn'),
  en: personName(dice.fork('person'), 'en'),
})
