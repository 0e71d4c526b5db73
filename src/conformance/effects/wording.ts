/** Parameters of language and of currency. */

import type { Parameter } from '../../contract/parameters.ts'
import type { AskedOperation } from '../derived/asked-operation.ts'
import { rowsIn } from '../derived/asked-operation.ts'
import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import { retryUntilHeld } from '../response-reading.ts'
import { type Effect, nameOf, type Pick, picked } from './effect.ts'

/** Texts are in the language that is asked for, by their script. */
export const languages =
  (values: { cn: string; en: string; tc?: string }, pick: Pick): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const texts = async (value: string) => {
      const data = await asked.withValue(parameter, value).data()
      const rows = rowsIn(data).filter(isJsonObject)
      const found = (rows.length > 0 ? rows : [data as JsonObject]).map((row) =>
        String(picked(pick, row) ?? ''),
      )
      if (found.join('') === '') asked.probe.skip('there are no texts')
      return found
    }
    const english = await texts(values.en)
    const wrong = english.find((text) => HAN.test(text))
    asked.probe.assert(
      wrong === undefined,
      `${nameOf(asked, parameter, values.en)} is English`,
      wrong,
    )
    const chinese = await texts(values.cn)
    const isChinese = (found: string[]) => found.some((text) => HAN.test(text))
    asked.probe.assert(
      isChinese(chinese),
      `${nameOf(asked, parameter, values.cn)} is Chinese`,
      chinese,
    )
    if (values.tc === undefined) return
    const traditional = await texts(values.tc)
    const question = nameOf(asked, parameter, values.tc)
    asked.probe.assert(isChinese(traditional), `${question} is Chinese`, traditional)
    asked.probe.assert(
      !traditional.some((text) => SIMPLIFIED.test(text)),
      `${question} has no simplified characters`,
      traditional,
    )
    asked.probe.assert(
      chinese.some((text) => SIMPLIFIED.test(text)),
      `${nameOf(asked, parameter, values.cn)} is in simplified characters`,
      chinese,
    )
  }

const HAN = /\p{Script=Han}/u

/** Frequent characters that are written so in simplified Chinese only. */
const SIMPLIFIED = /[过记开关测涨资亿东间会这们对发业报价样现总赚说将网额净从]/

/** Amounts in yuan are several times those in dollars, row by row. */
export const currencies =
  (pick: Pick, key: Pick): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    retryUntilHeld(asked.probe, async () => {
      const amounts = async (value: string) => {
        const rows = await asked.withValue(parameter, value).objects()
        return new Map(rows.map((row) => [String(picked(key, row)), Number(picked(pick, row))]))
      }
      const [dollars, yuan] = [await amounts('usd'), await amounts('cny')]
      const common = [...dollars].filter(([name, amount]) => amount !== 0 && yuan.has(name))
      if (common.length === 0) asked.probe.skip('there are no amounts in both currencies')
      const wrong = common.find(([name, amount]) => !isSeveral((yuan.get(name) ?? 0) / amount))
      return wrong ? `${wrong[0]} in cny is several times ${wrong[1]}` : null
    })

/** The contract names no rate; that of decades lies well within. */
const isSeveral = (ratio: number) => ratio > 2 && ratio < 20

/** Words in a list of every row are in the language that is asked for. */
export const languagesOfLists =
  (field: string, body: JsonObject): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    languages({ cn: 'cn', en: 'en' }, (row) =>
      Array.isArray(row[field]) ? row[field].join() : '',
    )(asked.with({ body }), parameter)
