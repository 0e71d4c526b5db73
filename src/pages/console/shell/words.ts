/**
 * What the console says, in English and Chinese. Each view has a table of its own beside it:
 *
 *     const say = wording({ rows: ['{count} rows', '{count} 行'] })
 *     say('rows', { count: 3 })
 */
import { language } from './preferences.ts'

/** Texts by key, each in both languages; `{name}` stands for a value. */
export type Wording = Readonly<Record<string, readonly [en: string, zh: string]>>

/** One text of a table, in the language that is shown; asked for anew when that changes. */
export type Say<T extends Wording> = (
  key: keyof T,
  values?: Readonly<Record<string, string | number>>,
) => string

/** Texts of a table by their keys, which are checked when this is compiled. */
export function wording<const T extends Wording>(table: T): Say<T> {
  return (key, values = {}) => {
    const [en, zh] = table[key] as T[keyof T]
    const text = language.value === 'zh' ? zh : en
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  }
}
