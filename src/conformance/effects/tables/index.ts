import type { Parameter } from '../../../contract/parameters.ts'
import type { AskedOperation } from '../../derived/asked-operation.ts'
import { isJsonObject } from '../../parsed-json.ts'
import type { Effect, EffectTable } from '../effect.ts'
import { someIndexKeys } from '../known-values.ts'
import { apart, differs } from '../selection.ts'
import { languages } from '../wording.ts'

/** An index that is an amount has several times as many yuan as dollars. */
const currencyOfIndex: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const ratios: number[] = []
  for (const key of (await someIndexKeys(asked.probe)).slice(0, KEYS_MAX)) {
    const one = asked.with({ query: { key } })
    const price = async (currency: string) => {
      const data = (await one.withValue(parameter, currency).data()) as { price?: unknown } | null
      return Number(data?.price ?? Number.NaN)
    }
    const ratio = (await price('cny')) / (await price('usd'))
    if (ratio > 2) return apart(parameter.schema.enum as string[], priceIn)(one, parameter)
    if (Number.isFinite(ratio)) ratios.push(ratio)
  }
  if (ratios.length === 0) asked.probe.skip('the target has no price of an index')
  asked.probe.assert(false, 'some index costs several times as many yuan as dollars', ratios)
}

const priceIn = (data: unknown) => (isJsonObject(data) ? data.price : null)

/** Indexes that are looked at for one that is an amount; some are scores. */
const KEYS_MAX = 8

const text = ({ name, introduce }: Record<string, unknown>) => `${name} ${introduce}`

export const INDEX_EFFECTS: EffectTable = {
  'index.info': {
    key: { effect: differs(someIndexKeys) },
    lan: { listed: languages({ cn: 'cn', en: 'en' }, text) },
  },
  'index.price': {
    key: { effect: differs(someIndexKeys) },
    currency: { effect: currencyOfIndex },
  },
}
