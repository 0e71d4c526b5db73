/** Rules that have acted on what came and went, live. */

import { nameOf } from '../../journal/entry-names.ts'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useAsked } from '../../session/asking.ts'
import { timeText } from '../../shell/formats.ts'
import { linkTo } from '../../shell/route.ts'
import { say } from './words.ts'

const LOOKED_AT = 2_000

export function ActedRules() {
  const acted = useAsked(
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
