/** What goes wrong here: scenarios, answers to open questions, quotas. */
import { ICONS } from '../../parts/icons.ts'
import type { View } from '../../shell/view.ts'
import { ActedRules } from './acted-rules.tsx'
import { Questions } from './questions.tsx'
import { Quotas } from './quotas.tsx'
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
