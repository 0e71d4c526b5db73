/** What is shown of the open questions, in Chinese. */
import type { QUESTIONS } from '../../../../contract/questions.ts'
import { ACCESS_QUESTIONS } from './access-questions.ts'
import { CONTENT_QUESTIONS } from './content-questions.ts'
import { MARKET_QUESTIONS } from './market-questions.ts'
import { PERPDEX_QUESTIONS } from './perpdex-questions.ts'
import type { QuestionTexts } from './question-texts.ts'
import { SOCKET_QUESTIONS } from './socket-questions.ts'
import { TRADER_QUESTIONS } from './trader-questions.ts'

/** By id; the compiler asks for every question and every answer. */
export const QUESTIONS_IN_CHINESE: QuestionTexts<typeof QUESTIONS> = {
  ...ACCESS_QUESTIONS,
  ...MARKET_QUESTIONS,
  ...CONTENT_QUESTIONS,
  ...PERPDEX_QUESTIONS,
  ...TRADER_QUESTIONS,
  ...SOCKET_QUESTIONS,
}
