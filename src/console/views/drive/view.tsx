/** Time and the market, moved by hand. */
import { ICONS } from '../../parts/icons.ts'
import { Panel } from '../../parts/panel.tsx'
import type { View } from '../../shell/view.ts'
import { say } from './words.ts'

export const driveView: View = {
  id: 'drive',
  group: 'control',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.drive,
  component: Drive,
}

function Drive() {
  return <Panel title={say('title')}>…</Panel>
}
