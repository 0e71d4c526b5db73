/** Reads a story out of YAML; errors name file, line and field. */
import { checkFields } from '../../contract/fields/field-check.ts'
import { type FieldPath, FlawList } from '../../contract/fields/field-flaw.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { fieldSpanMs } from '../../contract/fields/span-field.ts'
import { readYaml } from '../../contract/fields/yaml-text.ts'
import { readEvent } from '../../market/events/event-reading.ts'
import { type StoryAction, StoryFields } from './story.ts'

type View = NonNullable<StoryFields['steps'][number]['show']>

/** A text in the languages of the console; what is not translated is said in English. */
export interface StoryText {
  en: string
  zh: string
}

export interface Story {
  /** Of its file, without its ending. */
  name: string
  title: StoryText
  about: StoryText | null
  coin: string
  steps: StoryStep[]
}

export interface StoryStep {
  caption: StoryText
  show: View
  do: StoryAction[]
  /** How long until the next step, ms; null until it is asked for. */
  waitMs: number | null
}

/** A story out of YAML text; a UserError tells all that is wrong, a line each. */
export const parseStoryYaml = (
  name: string,
  file: string,
  text: string,
  scenarios: readonly string[],
): Story =>
  readYaml({ file, text, whole: 'the story' }, (given) => {
    checkFields(StoryFields, given, [])
    const fields = given as StoryFields
    checkActions(fields, scenarios)
    return storyOf(name, fields)
  })

function storyOf(name: string, { title, about, coin = 'BTC', steps }: StoryFields): Story {
  let show: View = 'all'
  return {
    name,
    title: textOf(title),
    about: about === undefined ? null : textOf(about),
    coin,
    steps: steps.map((step) => {
      show = step.show ?? show
      return {
        caption: textOf(step.caption),
        show,
        do: step.do ?? [],
        waitMs: step.wait === undefined ? null : fieldSpanMs(step.wait),
      }
    }),
  }
}

function textOf(caption: StoryFields['title']): StoryText {
  if (typeof caption === 'string') return { en: caption, zh: caption }
  return { en: caption.en, zh: caption.zh ?? caption.en }
}

function checkActions({ steps }: StoryFields, scenarios: readonly string[]): void {
  const flaws = new FlawList()
  for (const [at, step] of steps.entries())
    for (const [index, action] of (step.do ?? []).entries())
      flaws.collect(() => checkAction(action, ['steps', at, 'do', index], scenarios))
  flaws.end()
}

function checkAction(action: StoryAction, at: FieldPath, scenarios: readonly string[]): void {
  const flaws = new FlawList()
  const names = Object.keys(action)
  if (names.length !== 1)
    flaws.add(at, `must be one of market, scenario, calm, speed, not ${names.length} of them`)
  const { market, scenario } = action
  if (market !== undefined) flaws.collect(() => readEvent(market, [...at, 'market']))
  if (scenario !== undefined && !scenarios.includes(scenario))
    flaws.add([...at, 'scenario'], `is wrong: ${unknownText('scenario', scenario, scenarios)}`)
  flaws.end()
}
