/**
 * The client's behaviour for each sentence of the scenarios' guidance, by scenario. Each is a test,
 * and a row of the table in docs/client.md.
 */
import { ANSWERS } from './survival/answers.ts'
import { FEEDS } from './survival/feeds.ts'

export const SURVIVAL = Object.assign({}, ANSWERS, FEEDS)

/** The sentences of a scenario's guidance. */
export const sentencesOf = (guidance: string): string[] =>
  guidance
    .trim()
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=\.) (?=[A-Z`])/)
