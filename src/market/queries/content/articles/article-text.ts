import type { BilingualText } from '../bilingual-text.ts'

/** An article in both languages. */
export interface ArticleText {
  title: BilingualText
  /** In one or two sentences; the first paragraph. */
  describe: BilingualText
  /** Those after it. */
  paragraphs: BilingualText[]
  source: BilingualText
}
