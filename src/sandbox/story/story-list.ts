/** The stories that there are, wherever they are kept. */
import type { Story } from './story-parser.ts'

/** Those that can be played, and what is wrong with the others. */
export interface StoryList {
  stories: readonly Story[]
  /** Lines with file, line and field. */
  flaws: readonly string[]
}

/** Read anew each time: who writes one sees it with the next look. */
export type StoryLibrary = () => StoryList

/** A library without any. */
export const NO_STORIES: StoryLibrary = () => ({ stories: [], flaws: [] })
