/** Time and the market, moved by hand. */
import { ICONS } from '../../parts/icons.ts'
import type { View } from '../../shell/view.ts'
import { ClockPanel } from './clock-panel.tsx'
import { EventPanel } from './event-panel.tsx'
import { PlaybackPanel } from './playback-panel.tsx'
import { TimelinePanel } from './timeline-panel.tsx'
import { ToldPanel } from './told-panel.tsx'
import { say } from './words.ts'

export const driveView: View = {
  id: 'drive',
  group: 'control',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.drive,
  component: () => (
    <div class="drive">
      <PlaybackPanel />
      <TimelinePanel />
      <EventPanel />
      <ClockPanel />
      <ToldPanel />
    </div>
  ),
}
