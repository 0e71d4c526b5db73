/** What scenarios say, in the language that is shown. */
import { language } from '../../shell/preferences.ts'
import { SCENARIOS_IN_CHINESE } from './chinese/scenarios.ts'

export interface ScenarioTexts {
  name: string
  title: string
  guidance?: string | undefined
}

/** Title and guidance of a scenario of the library. */
export function libraryTexts(of: ScenarioTexts): Omit<ScenarioTexts, 'name'> {
  const chinese = language.value === 'zh' ? SCENARIOS_IN_CHINESE[of.name] : undefined
  return { title: chinese?.[0] ?? of.title, guidance: chinese?.[1] ?? of.guidance }
}

/**
 * The title of a scenario that is on. One of the user's own may have the name of one of the
 * library, and then keeps its title.
 */
export function activeTitle(of: ScenarioTexts, library: readonly ScenarioTexts[]): string {
  const isOfLibrary = library.some(({ name, title }) => name === of.name && title === of.title)
  return isOfLibrary ? libraryTexts(of).title : of.title
}
