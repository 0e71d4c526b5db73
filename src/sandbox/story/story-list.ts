/** The available stories, independent of their storage. */
import type { Story } from './story-parser.ts'

/** The playable stories, and the errors of the others. */
export interface StoryList {
  stories: readonly Story[]
  /** Errors with file, line and field. */
  flaws: readonly string[]
}

/** Read anew on each call, so that an author sees changes at once. */
export type StoryLibrary = () => StoryList

/** A library without stories. */
export const NO_STORIES: StoryLibrary = () => ({ stories: [], flaws: [] })
