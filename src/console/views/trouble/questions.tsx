/** What the contract leaves open: each question with its answers, which can be switched. */
import { useState } from 'preact/hooks'
import type { Question } from '../../../contract/questions/question.ts'
import { QUESTIONS } from '../../../contract/questions.ts'
import { Choice } from '../../parts/choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { act } from '../../session/action.ts'
import { lookAgain, sandboxRecord } from '../../session/connection.ts'
import { isGuest } from '../../session/guest.ts'
import { language } from '../../shell/preferences.ts'
import { QUESTIONS_IN_CHINESE } from './chinese/questions.ts'
import { say } from './words.ts'

const ALL: readonly [string, Question][] = Object.entries(QUESTIONS)

/** What the answers that are given here are put on as. */
const SCENARIO = 'answers-of-the-console'

export function Questions() {
  const [typed, setTyped] = useState('')
  const [only, setOnly] = useState<'all' | 'changed'>('all')
  const answers: Readonly<Record<string, string>> = sandboxRecord.value?.record.questions ?? {}
  const changed = ALL.filter(
    ([id, { chosen }]) => answers[id] !== undefined && answers[id] !== chosen,
  )
  const shown = (only === 'all' ? ALL : changed).filter(([id, { question }]) =>
    `${id} ${question} ${textsOf(id).question}`.toLowerCase().includes(typed.toLowerCase()),
  )
  return (
    <Panel
      title={say('questions')}
      class="questions"
      isFlush
      tools={
        <Tools
          only={only}
          onOnly={setOnly}
          changed={changed.length}
          typed={typed}
          onType={setTyped}
        />
      }
    >
      <p class="note">{say('questionsAbout')}</p>
      <ul class="question-list">
        {shown.map(([id, question]) => (
          <QuestionRow key={id} id={id} of={question} answer={answers[id] ?? question.chosen} />
        ))}
      </ul>
    </Panel>
  )
}

interface ToolsProps {
  only: 'all' | 'changed'
  onOnly(only: 'all' | 'changed'): void
  changed: number
  typed: string
  onType(typed: string): void
}

function Tools({ only, onOnly, changed, typed, onType }: ToolsProps) {
  return (
    <>
      <Choice
        label={say('questions')}
        value={only}
        options={[
          { value: 'all', text: `${say('all')} ${ALL.length}` },
          { value: 'changed', text: `${say('onlyChanged')} ${changed}` },
        ]}
        onPick={onOnly}
      />
      <input
        type="search"
        aria-label={say('searchQuestions')}
        placeholder={say('searchQuestions')}
        value={typed}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </>
  )
}

/** A question and its answers in the language that is shown. */
function textsOf(id: string): Pick<Question, 'question' | 'answers'> {
  const texts: Readonly<Record<string, Pick<Question, 'question' | 'answers'>>> =
    language.value === 'zh' ? QUESTIONS_IN_CHINESE : QUESTIONS
  return texts[id] as Pick<Question, 'question' | 'answers'>
}

function QuestionRow({ id, of, answer }: { id: string; of: Question; answer: string }) {
  const { question, answers } = textsOf(id)
  return (
    <li>
      <label for={`question-${id}`}>
        {question} <code>{id}</code>
        {answer !== of.chosen && <span class="badge warn">{say('changed')}</span>}
      </label>
      <select
        id={`question-${id}`}
        disabled={isGuest.value}
        value={answer}
        onChange={({ currentTarget }) => answerQuestion(id, currentTarget.value)}
      >
        {Object.entries(answers).map(([name, text]) => (
          <option key={name} value={name}>
            {name}: {text}
          </option>
        ))}
      </select>
    </li>
  )
}

/** All answers that differ from the usual ones, as one scenario without rules. */
async function answerQuestion(id: string, answer: string): Promise<void> {
  const record = sandboxRecord.value?.record
  if (!record) return
  const given = { ...record.questions, [id]: answer }
  const questions = Object.fromEntries(
    ALL.filter(([name, { chosen }]) => (given[name] ?? chosen) !== chosen || name === id).map(
      ([name, { chosen }]) => [name, given[name] ?? chosen],
    ),
  )
  await act(async (control) => {
    if (record.scenarios.includes(SCENARIO)) await control.scenario.clear({ name: SCENARIO })
    await control.scenario.add({ name: SCENARIO, title: 'Answers', rules: [], questions } as never)
  }, say('answered'))
  await lookAgain()
}
