/** Faults: scenarios, answers to open questions, quotas. */

import { useState } from 'preact/hooks'
import type { KeyRecord } from '../../../../clients/control/records.ts'
import type { Question } from '../../../../contract/questions/question.ts'
import { QUESTIONS } from '../../../../contract/questions.ts'
import { nameOf } from '../../journal/filter.ts'
import { Choice } from '../../parts/choice.tsx'
import { ICONS } from '../../parts/icon.tsx'
import { Gate, Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { act } from '../../session/action.ts'
import { useFetched } from '../../session/asking.ts'
import { isGuest, lookAgain, sandboxRecord } from '../../session/connection.ts'
import { numberText, timeText } from '../../shell/formats.ts'
import { language } from '../../shell/preferences.ts'
import type { View } from '../../shell/route.ts'
import { linkTo } from '../../shell/route.ts'
import questionsInChinese from './chinese/questions.json' with { type: 'json' }
import { Scenarios } from './scenarios.tsx'
import { say } from './words.ts'

export const troubleView: View = {
  id: 'trouble',
  group: 'control',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.trouble,
  component: Trouble,
}

function Trouble() {
  return (
    <div class="trouble">
      <Scenarios />
      <div class="trouble-side">
        <ActedRules />
        <Quotas />
      </div>
      <Questions />
    </div>
  )
}

/** Rules that have acted on traffic, in real time. */
const LOOKED_AT = 2_000

function ActedRules() {
  const acted = useFetched(
    async ({ control }) => {
      const { entries } = await control.journal.read({ limit: LOOKED_AT })
      const byRule = Map.groupBy(
        entries.filter(({ rule, kind }) => rule !== null && kind !== 'market'),
        ({ rule }) => rule ?? '',
      )
      return [...byRule].map(([rule, ours]) => ({ rule, count: ours.length, last: ours.at(-1) }))
    },
    { everyMs: 2000 },
  )
  return (
    <Panel title={say('acted')} isFlush>
      <Shown of={acted} isEmpty={(rules) => rules.length === 0} emptyText={say('noRules')}>
        {(rules) => (
          <ul class="acted-rules">
            {rules.map(({ rule, count, last }) => (
              <li key={rule}>
                <a
                  href={linkTo('traffic', [], {
                    only: 'rules',
                    text: `rule:${rule.split(' ')[0]}`,
                  })}
                >
                  {rule}
                </a>
                <span class="badge">{say('times', { count })}</span>
                {last && (
                  <span class="faint">
                    {timeText(last.sessionMs)} {nameOf(last)}
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Panel>
  )
}

/** Limits and usage of each key, with a switch that leaves two requests. */
const KEYS_SHOWN = 50

function Quotas() {
  const keys = useFetched(({ control }) => control.keys.list({ limit: KEYS_SHOWN }), {
    everyMs: 2000,
  })
  return (
    <Panel title={say('quotas')} isFlush>
      <Shown of={keys}>
        {(list) => (
          <ul class="quotas">
            {list.map((key) => (
              <Quota key={key.accessKey} of={key} onChange={keys.reload} />
            ))}
          </ul>
        )}
      </Shown>
    </Panel>
  )
}

function Quota({ of, onChange }: { of: KeyRecord; onChange(): void }) {
  const { accessKey, usage } = of
  const { monthlyQuota, ratePerMinute } = of.limits
  const change = async (fields: { used?: number; remaining?: number }, done: string) => {
    await act((control) => control.usage.set(accessKey, fields), done)
    onChange()
  }
  return (
    <li>
      <div class="quota-head">
        <strong>{accessKey}</strong>
        <span class="spring" />
        <Gate>
          {monthlyQuota != null && (
            <button
              type="button"
              onClick={() => change({ remaining: 2 }, say('leftTwo', { key: accessKey }))}
            >
              {say('leaveTwo')}
            </button>
          )}
          <button
            type="button"
            onClick={() => change({ used: 0 }, say('refilled', { key: accessKey }))}
          >
            {say('refill')}
          </button>
        </Gate>
      </div>
      <Meter name={say('month')} used={usage.month} most={monthlyQuota} />
      <Meter name={say('minute')} used={usage.minute} most={ratePerMinute} />
    </li>
  )
}

interface MeterProps {
  name: string
  used: number
  most: number | null | undefined
}

function Meter({ name, used, most }: MeterProps) {
  const text =
    most == null ? say('unlimited') : say('left', { count: numberText(Math.max(0, most - used)) })
  return (
    <label class="quota-meter">
      <span class="faint">{name}</span>
      <meter min={0} max={most || 1} high={(most || 1) * 0.9} value={most == null ? 0 : used} />
      <span>
        {numberText(used)} · {text}
      </span>
    </label>
  )
}

/** Open questions of the contract: each with its answers, which can be switched. */
const ALL: readonly [string, Question][] = Object.entries(QUESTIONS)

/** Name of the scenario with answers chosen here. */
const SCENARIO = 'answers-of-the-console'

function Questions() {
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

/** A question and its answers in the present language. */
function textsOf(id: string): Pick<Question, 'question' | 'answers'> {
  const texts: Readonly<Record<string, Pick<Question, 'question' | 'answers'>>> =
    language.value === 'zh' ? questionsInChinese : QUESTIONS
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

/** All non-default answers, as one scenario without rules. */
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
