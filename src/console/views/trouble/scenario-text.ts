import { language } from '../../shell/preferences.ts'
import { CHINESE_SCENARIOS } from './chinese-scenarios.ts'

/** What is said of a scenario: its title, and what a client does about it. */
export interface ScenarioText {
  title: string
  guidance?: string | undefined
}

/** In the language that is shown; a scenario of one's own has only the one it is written in. */
export function shownText({ title, guidance }: ScenarioText): ScenarioText {
  const known = language.value === 'zh' ? CHINESE_SCENARIOS[title] : undefined
  return known ? { title: known[0], guidance: known[1] } : { title, guidance }
}
