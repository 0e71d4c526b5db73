/** The sandboxes of the server, and who may do what in the one that is looked at. */
import { CodeBlock } from '../../parts/code-block.tsx'
import { ICONS } from '../../parts/icons.ts'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useAsked } from '../../session/asking.ts'
import { controlPlane } from '../../session/connection.ts'
import type { View } from '../../shell/view.ts'
import { Invites } from './invites.tsx'
import { Keys } from './keys.tsx'
import { Levels } from './levels.tsx'
import { SandboxTable } from './sandbox-table.tsx'
import { say } from './words.ts'

export const sandboxesView: View = {
  id: 'sandboxes',
  group: 'control',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.sandboxes,
  component: Sandboxes,
  isChanging: true,
}

function Sandboxes() {
  return (
    <div class="sandboxes">
      <SandboxTable />
      <Keys />
      <Levels />
      <Invites />
      <GuestLink />
    </div>
  )
}

function GuestLink() {
  const guest = useAsked(() => controlPlane().guest.get())
  return (
    <Panel title={say('guests')}>
      <p class="faint">{say('guestsAbout')}</p>
      <Shown of={guest}>{({ url }) => <CodeBlock text={url} of={say('guests')} />}</Shown>
    </Panel>
  )
}
